/** What the imports of gems and of jewelry have in common: their options and the command `undo`. */
import { basename } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { JUMPS_SHARE_MAX, REMOVED_SHARE_MAX } from '../../feeds/importing/checks/import-checks.ts'
import { PRICE_OPTIONS, type PriceOption } from '../../feeds/mapping/mapping.ts'
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

export const MAX_REMOVED = [
  '--max-removed <share>',
  'How much of the stock "replace" may remove',
] as const
export const MAX_JUMPS = [
  '--max-jumps <share>',
  'How much of the known stock may change price by 20% or more',
] as const
export const CURRENCY = [
  '--currency <code>',
  "Currency of prices that name none (default: the supplier's)",
  readCurrency,
] as const

/** A share as `--help` shows it, which `readShare` reads. */
export function shareText(share: number): string {
  return `${share * 100}%`
}

export function withImportOptions(each: Command): Command {
  return each
    .addOption(
      new Option('--mode <mode>', '"replace" also removes what the file no longer lists')
        .choices(['update', 'replace'])
        .default('update'),
    )
    .option('--dry-run', 'Show what would happen without changing anything')
    .option(...CURRENCY)
    .addOption(
      new Option(...MAX_REMOVED)
        .argParser(readShare)
        .default(REMOVED_SHARE_MAX, shareText(REMOVED_SHARE_MAX)),
    )
    .addOption(
      new Option(...MAX_JUMPS)
        .argParser(readShare)
        .default(JUMPS_SHARE_MAX, shareText(JUMPS_SHARE_MAX)),
    )
}

/** The operator's answers to what an import of stones asks about their prices and columns. */
export interface AnswerOptions {
  price?: PriceOption
  acceptPrices?: boolean
  relearn?: boolean
}

export function withAnswerOptions(each: Command): Command {
  const price = new Option('--price <meaning>', 'What the price column holds; remembered')
  return each
    .addOption(price.choices(PRICE_OPTIONS))
    .option('--accept-prices', 'Accept prices that are far from those of similar stones')
    .option('--relearn', 'Accept a file that reads differently from the last one')
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
