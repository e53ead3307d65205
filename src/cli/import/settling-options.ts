/** The options that settle an import which was refused, for a run of a source. */
import { type Command, Option } from 'commander'
import { JUMPS_SHARE_MAX, REMOVED_SHARE_MAX } from '../../feeds/importing/checks/import-checks.ts'
import { priceMeaningOf } from '../../feeds/mapping/mapping.ts'
import type { RunOptions } from '../../feeds/sources/run-source.ts'
import {
  type AnswerOptions,
  CURRENCY,
  MAX_JUMPS,
  MAX_REMOVED,
  readShare,
  shareText,
  withAnswerOptions,
} from './options.ts'

export interface SettlingOptions extends AnswerOptions {
  currency?: string
  maxRemoved?: number
  maxJumps?: number
}

export function withSettlingOptions(each: Command): Command {
  const limited = each
    .option(...CURRENCY)
    .addOption(withoutDefault(MAX_REMOVED, REMOVED_SHARE_MAX))
    .addOption(withoutDefault(MAX_JUMPS, JUMPS_SHARE_MAX))
  return withAnswerOptions(limited)
}

/** The server knows what is usual: a run is settled only by what is given. */
function withoutDefault([flags, description]: readonly [string, string], usual: number): Option {
  return new Option(flags, `${description} (default: ${shareText(usual)})`).argParser(readShare)
}

export function settledBy(options: SettlingOptions): RunOptions {
  const { currency, maxRemoved, maxJumps, acceptPrices, relearn } = options
  const price = priceMeaningOf(options.price)
  return {
    ...(currency !== undefined && { currency }),
    ...(maxRemoved !== undefined && { maxRemovedShare: maxRemoved }),
    ...(maxJumps !== undefined && { maxJumpsShare: maxJumps }),
    ...(price !== undefined && { price }),
    ...(acceptPrices && { acceptPrices }),
    ...(relearn && { relearn }),
  }
}
