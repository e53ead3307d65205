/** What the imports of gems and of jewelry have in common: their options and the command `undo`. */
import { basename } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { readCurrency, readUuid } from '../arguments.ts'
import { type CommonOptions, command, onMarket } from '../command.ts'
import type { Market } from '../market.ts'
import type { InputFile } from './input-file.ts'

export interface ImportOptions extends CommonOptions {
  supplier: string
  mode: 'update' | 'replace'
  dryRun?: boolean
  currency?: string
  maxRemoved: number
  maxJumps: number
}

const MAX_REMOVED_SHARE = 0.4
const MAX_JUMPS_SHARE = 0.05

export function withImportOptions(each: Command): Command {
  return each
    .addOption(
      new Option('--mode <mode>', '"replace" also removes what the file no longer lists')
        .choices(['update', 'replace'])
        .default('update'),
    )
    .option('--dry-run', 'Show what would happen without changing anything')
    .option(
      '--currency <code>',
      "Currency of prices that name none (default: the supplier's)",
      readCurrency,
    )
    .addOption(
      new Option('--max-removed <share>', 'How much of the stock "replace" may remove')
        .argParser(readShare)
        .default(MAX_REMOVED_SHARE, '40%'),
    )
    .addOption(
      new Option('--max-jumps <share>', 'How much of the known stock may change price by 20%')
        .argParser(readShare)
        .default(MAX_JUMPS_SHARE, '5%'),
    )
}

/** `40%` and `40` are percentages; `0.4` is the share itself. */
export function readShare(text: string): number {
  const match = /^(\d{1,3}(?:\.\d+)?)\s*%?$/.exec(text)
  const value = match ? Number(match[1]) : Number.NaN
  const share = text.includes('%') || value > 1 ? value / 100 : value
  if (share >= 0 && share <= 1) return share
  throw new InvalidArgumentError('Expected a percentage, such as 40%.')
}

/** The part of the request that both imports take from their options. */
export function importRequest(path: string, file: InputFile, options: ImportOptions) {
  return {
    supplier: options.supplier,
    mode: options.mode,
    dryRun: options.dryRun,
    currency: options.currency,
    maxRemovedShare: options.maxRemoved,
    maxJumpsShare: options.maxJumps,
    fileName: basename(path),
    bytes: file.bytes,
  }
}

/** The command that undoes an import; `group` is the command it belongs to, `history` its list. */
export function undoCommand(
  group: string,
  history: string,
  undo: (market: Market, uuid: string) => Promise<{ supplier: string }>,
): Command {
  const example = `pavilion ${group} undo 0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90`
  return command('undo', 'Undo the latest import of a supplier', example)
    .argument('<uuid>', `UUID of the import, as listed by "pavilion ${history}"`, readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        (market) => undo(market, uuid),
        ({ supplier }) => `Undone. The stock of ${supplier} is as it was before the import.`,
      ),
    )
}
