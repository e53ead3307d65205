import { CLARITIES } from '../../reference/attributes.ts'
import type { DemoSupplier } from '../suppliers.ts'
import { type DemoContext, type DemoGem, nextVendorSku, offerFrom } from './gem.ts'

const SECOND_LISTINGS_MAX = 30
const STONES_PER_SECOND_LISTING = 250
const DUE_SHARE = 0.8
const CONTRADICTIONS = 2

/** How many of this many diamonds are second listings of the others. Small markets have none. */
export function secondListingsAmong(stones: number): number {
  return Math.min(SECOND_LISTINGS_MAX, Math.floor(stones / STONES_PER_SECOND_LISTING))
}

/**
 * Passes the diamonds on, and then lists some of them a second time, by another supplier at
 * another price. The last ones have another clarity: contradictions for the operator to decide.
 */
export function* listSomeAgain(
  context: DemoContext,
  gems: Iterable<DemoGem>,
  count: number,
): Generator<DemoGem> {
  const first: DemoGem[] = []
  let seen = 0
  for (const gem of gems) {
    yield gem
    seen++
    // Spread over the market, with room for the last ones to be found.
    const isDue = seen >= (first.length + 1) * STONES_PER_SECOND_LISTING * DUE_SHARE
    if (first.length < count && isDue && canBeListedAgain(gem)) first.push(gem)
  }
  for (const [position, gem] of first.entries()) {
    const again = listAgain(context, gem)
    yield position >= first.length - CONTRADICTIONS
      ? { ...again, clarity: nextClarity(gem) }
      : again
  }
}

function canBeListedAgain({ lab, cert_num, clarity, hold_uuid }: DemoGem): boolean {
  return lab !== null && cert_num !== null && clarity !== null && hold_uuid === null
}

function listAgain(context: DemoContext, gem: DemoGem): DemoGem {
  const supplier = otherSupplier(context, gem)
  const cost = Number(gem.cost) * context.chance.around(1, 0.03)
  const offer = offerFrom(context, supplier, nextVendorSku(context, supplier), cost)
  return { ...gem, ...offer, pair_vendor_sku: null, pair_sku: null, pair_separable: null }
}

function otherSupplier({ chance, suppliers }: DemoContext, gem: DemoGem): DemoSupplier {
  const others = suppliers.filter(({ id, share }) => id !== gem.supplier_id && share[gem.type] > 0)
  return chance.oneOf(others)
}

function nextClarity({ clarity }: DemoGem): string {
  const at = CLARITIES.indexOf(clarity as (typeof CLARITIES)[number])
  return CLARITIES[at === 0 ? 1 : at - 1]
}
