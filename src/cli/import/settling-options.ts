/** The options that settle an import which was refused, for a run of a source. */
import { type Command, Option } from 'commander'
import type { RunOptions } from '../../feeds/sources/run-source.ts'
import { readCurrency } from '../arguments.ts'
import { readShare } from './options.ts'

export interface SettlingOptions {
  currency?: string
  maxRemoved?: number
  maxJumps?: number
  price?: 'total' | 'per-carat'
  acceptPrices?: boolean
  relearn?: boolean
}

export function withSettlingOptions(each: Command): Command {
  const price = new Option('--price <meaning>', 'What the price column holds; remembered')
  return each
    .option(
      '--currency <code>',
      "Currency of prices that name none (default: the supplier's)",
      readCurrency,
    )
    .option(
      '--max-removed <share>',
      'How much of the stock "replace" may remove (default: 40%)',
      readShare,
    )
    .option(
      '--max-jumps <share>',
      'How many known stones may change price by 20% or more (default: 5%)',
      readShare,
    )
    .addOption(price.choices(['total', 'per-carat']))
    .option('--accept-prices', 'Accept prices that are far from those of similar stones')
    .option('--relearn', 'Accept a file that reads differently from the last one')
}

export function settledBy(options: SettlingOptions): RunOptions {
  const { currency, maxRemoved, maxJumps, price, acceptPrices, relearn } = options
  return {
    ...(currency !== undefined && { currency }),
    ...(maxRemoved !== undefined && { maxRemovedShare: maxRemoved }),
    ...(maxJumps !== undefined && { maxJumpsShare: maxJumps }),
    ...(price !== undefined && { price: price === 'per-carat' ? 'per carat' : price }),
    ...(acceptPrices && { acceptPrices }),
    ...(relearn && { relearn }),
  }
}
