/** Compares the prices of a whole file with the market, and with what mined stones cost at all. */
import type { Db } from '../../../database/open.ts'
import type { Supplier } from '../../../gems/supplier.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { GROWN_PER_CARAT_USD, MINED_PER_CARAT_USD } from '../../values/price-scale.ts'
import { marketLevel, type PriceLevel } from './price-check.ts'
import { refuseUnsure } from './unsure.ts'

/** The kinds of stones that a built-in level is known for. */
const MINED = 'mined|white|diamond'
const GROWN = 'lab grown|white|diamond'
/** One or two stones may be exceptional; their prices are compared stone by stone. */
const STONES_MIN = 3
const MARKET_STONES_MIN = 50
const FACTOR_MAX = Math.log(3)
/** Without a market, what is known of grown stones is less certain. */
const BUILT_IN: ReadonlyMap<string, { usual: number; factor: number }> = new Map([
  [MINED, { usual: Math.log(MINED_PER_CARAT_USD), factor: FACTOR_MAX }],
  [GROWN, { usual: Math.log(GROWN_PER_CARAT_USD), factor: Math.log(10) }],
])
/** Fewer stones, or a smaller share, at the prices of grown ones are not asked about. */
const CHEAP_STONES_MIN = 3
const CHEAP_SHARE_MIN = 0.1

interface PricedFile {
  levels: readonly PriceLevel[]
  supplier: Supplier
  currency: string
  /** The operator has seen the prices and says that they are right. */
  isAccepted: boolean
}

/**
 * Refuses a file whose prices are, as a whole, more than three times above or below those of
 * similar stones: the currency or the meaning of the price column is wrong then. Mined stones at
 * the price of grown ones are asked about, because the file may only lack the sign.
 */
export async function checkPriceLevels(db: Db, file: PricedFile): Promise<void> {
  for (const { kind, ordinary } of file.levels) {
    if (ordinary.stones < STONES_MIN) continue
    const market = await marketLevel(db, kind, file.supplier.id)
    const isKnown = market !== undefined && market.ordinary.stones >= MARKET_STONES_MIN
    const known = isKnown
      ? { usual: market.ordinary.level, factor: FACTOR_MAX }
      : BUILT_IN.get(kind)
    if (kind === MINED && file.supplier.stone_type === null) askCheap(file.supplier, ordinary)
    if (known === undefined) continue
    const { usual, factor } = known
    const distance = ordinary.level - usual
    if (Math.abs(distance) <= factor) continue
    const isCheap = kind === MINED && distance < 0
    if (isCheap && file.supplier.stone_type === null) askType(file.supplier, ordinary, usual)
    if (!file.isAccepted) refuseLevel(file, ordinary, distance, usual)
  }
}

/** Asks about a file in which some stones are priced like grown ones, and none of these says so. */
function askCheap(supplier: Supplier, own: PriceLevel['ordinary']): void {
  const cheap = own.cheap ?? 0
  const isMost = cheap * 2 > own.stones
  if (isMost || cheap < CHEAP_STONES_MIN || cheap < own.stones * CHEAP_SHARE_MIN) return
  const setType = `pavilion supplier set ${JSON.stringify(supplier.name)} --type`
  refuseUnsure({
    about: 'type',
    question:
      `${cheap} of ${own.stones} stones are priced like lab grown ones, but nothing in their ` +
      'rows says that they are.',
    readings: [
      { option: `${setType} mined`, meaning: 'all of them are mined' },
      { option: `${setType} both`, meaning: 'only stones whose rows say so are lab grown' },
    ],
    examples: [],
  })
}

function askType({ name }: Supplier, own: PriceLevel['ordinary'], usual: number): never {
  const setType = `pavilion supplier set ${JSON.stringify(name)} --type`
  refuseUnsure({
    about: 'type',
    question:
      `Nothing in the file says that its stones are lab grown, but ${own.stones} of them are ` +
      `priced like lab grown ones.`,
    readings: [
      { option: `${setType} lab-grown`, meaning: 'all of them are lab grown' },
      { option: `${setType} mined`, meaning: 'they are mined' },
    ],
    examples: [
      `A 1 ct G VS2 would cost about ${dollars(own.level)}, and mined ones cost ` +
        `${dollars(usual)}.`,
    ],
  })
}

function refuseLevel(
  { currency }: PricedFile,
  own: PriceLevel['ordinary'],
  distance: number,
  usual: number,
): never {
  const times = Math.exp(Math.abs(distance))
  const factor = times < 10 ? times.toFixed(1) : String(Math.round(times))
  const detail =
    `The prices of ${own.stones} stones are about ${factor} times ` +
    `${distance > 0 ? 'higher' : 'lower'} than those of similar stones: a 1 ct G VS2 would cost ` +
    `${dollars(own.level)} instead of ${dollars(usual)}. ` +
    `Check the currency (read as ${currency}) and what the price column holds; ` +
    'if the prices are right, import again with ' +
    '--accept-prices. Nothing was changed.'
  throw new Refusal('wrong_price_level', detail, { extra: { factor: Number(factor) } })
}

function dollars(level: number): string {
  return `USD ${Math.round(Math.exp(level)).toLocaleString('en-US')}`
}
