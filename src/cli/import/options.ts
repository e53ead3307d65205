import { type Command, InvalidArgumentError, Option } from 'commander'
import type { CommonOptions } from '../command.ts'

/** What the imports of stones and of jewelry have in common. */
export interface FileOptions extends CommonOptions {
  mode: 'update' | 'replace'
  dryRun?: boolean
  currency?: string
  maxRemoved: number
}

const MAX_REMOVED_SHARE = 0.4

export function withFileOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--mode <mode>', 'replace also takes out what the file no longer has')
        .choices(['update', 'replace'])
        .default('update'),
    )
    .option('--dry-run', 'show what would happen, and change nothing')
    .option(
      '--currency <code>',
      "of prices that name none; the supplier's unless given",
      readCurrency,
    )
    .option(
      '--max-removed <share>',
      'how much of the stock a replacing file may take out',
      readShare,
      MAX_REMOVED_SHARE,
    )
}

/** `40%` and `40` are percent; `0.4` is the share itself. */
function readShare(text: string): number {
  const match = /^(\d{1,3}(?:\.\d+)?)\s*%?$/.exec(text)
  const value = match ? Number(match[1]) : Number.NaN
  const share = text.includes('%') || value > 1 ? value / 100 : value
  if (share >= 0 && share <= 1) return share
  throw new InvalidArgumentError('It takes a percentage, for example 40%.')
}

function readCurrency(text: string): string {
  const code = text.toUpperCase()
  if (/^[A-Z]{3}$/.test(code)) return code
  throw new InvalidArgumentError('It takes three letters, for example USD.')
}
