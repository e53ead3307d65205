import { divideHalfUp } from '../../lib/money.ts'
import {
  isCertificate,
  type LedgerEntry,
  type Order,
  type OrderLine,
  unitsReturnable,
} from '../order.ts'
import {
  type Charge,
  centsOf,
  chargesOf,
  type EntryDraft,
  keptValue,
  lossLabel,
  percentOf,
  roundedCents,
} from './ledger-entry.ts'

/**
 * The credits for goods that an order loses: the rounded value before less the rounded value
 * after, so that cancelling in steps credits as much as cancelling at once. Charges in percent of
 * the goods and discounts fall with them. An order that is cancelled before anything has shipped
 * owes nothing.
 */
export function creditsFor(
  order: Order,
  after: readonly OrderLine[],
  reason: string,
): EntryDraft[] {
  if (order.order_type !== 'invoice') return []
  const [valueBefore, valueAfter] = [keptValue(order.lines), keptValue(after)]
  const isGone = areGoodsGone(after)
  const goods = after.filter((line) => !isCertificate(line))
  const isVoid = isGone && goods.every((line) => line.fulfilled_quantity === 0)
  if (valueBefore === valueAfter && (areGoodsGone(order.lines) || !isGone)) return []
  const leftAfter = chargesLeft(order.entries, valueBefore, valueAfter)
  const credits: EntryDraft[] = [
    {
      kind: 'credit',
      cents: roundedCents(valueAfter) - roundedCents(valueBefore),
      label: lossLabel(returnedMore(order.lines, after)),
      reason,
    },
    ...chargesOf(order.entries).map(({ entry, left }, at) => ({
      kind: 'credit' as const,
      cents: (isVoid ? 0n : leftAfter[at]) - left,
      label: entry.label,
      charge_number: entry.number,
      reason,
    })),
  ]
  return credits.filter(({ cents }) => cents !== 0n)
}

/** Whether all goods of an order were cancelled or returned. */
function areGoodsGone(lines: readonly OrderLine[]): boolean {
  return lines.every((line) => isCertificate(line) || unitsReturnable(line) === 0)
}

/**
 * What is left of each charge. Discounts are never more than the order costs without them, and fall
 * by no more than the rest: an order with fewer goods does not cost more. They would where their
 * shares are rounded, and in an order from before discounts fell with the goods.
 */
function chargesLeft(entries: readonly LedgerEntry[], before: bigint, after: bigint): bigint[] {
  const charges = chargesOf(entries)
  const costBefore = charges.reduce((sum, { left }) => sum + left, roundedCents(before))
  const added = charges.map((charge) =>
    isDiscount(charge) ? 0n : surchargeLeft(charge, before, after),
  )
  const discounts = discountsFor(charges.filter(isDiscount), entries, after)
  let cost = added.reduce((sum, cents) => sum + cents, roundedCents(after))
  const fallen = charges.map((charge, at) => {
    if (!isDiscount(charge)) return added[at]
    const cents = least(discounts.get(charge.entry.number) ?? 0n, -charge.left, cost)
    cost -= cents
    return -cents
  })
  return fallen.map((cents, at) => {
    if (!isDiscount(charges[at]) || cost <= costBefore) return cents
    const tooFar = least(cost - costBefore, cents - charges[at].left)
    cost -= tooFar
    return cents - tooFar
  })
}

/** What is left of a charge other than a discount. A percentage falls with the goods, to zero. */
function surchargeLeft(
  { entry: { percent }, left }: Charge,
  before: bigint,
  after: bigint,
): bigint {
  if (percent === null) return left
  return left - least(left, percentOf(before, percent) - percentOf(after, percent))
}

/** Decimals of a cent that are carried from one discount to the next. */
const CARRIED = 1_000_000n

/**
 * The discounts for goods of this value, by the numbers of their entries. A fixed discount falls in
 * proportion to the goods that the order had when it was given; what it was more than these goods
 * is for the other charges, and stays. It depends on no step between, and the fractions of cents
 * are carried on, so that goods that cost nothing still cost nothing in part.
 */
function discountsFor(
  discounts: readonly Charge[],
  entries: readonly LedgerEntry[],
  value: bigint,
): Map<number, bigint> {
  let [covered, exact, rounded] = [0n, 0n, 0n]
  return new Map(
    discounts.map(({ entry }) => {
      const goodsThen = goodsBefore(entry, entries)
      const { fixed, percent } = partsOf(entry, goodsThen)
      const percentThen = percentOf(goodsThen * 100n, percent)
      const uncovered = goodsThen - covered - percentThen
      const onGoods = least(fixed, uncovered > 0n ? uncovered : 0n)
      covered += onGoods + percentThen
      if (onGoods > 0n) exact += (onGoods * roundedCents(value) * CARRIED) / goodsThen
      const share = divideHalfUp(exact, CARRIED) - rounded
      rounded += share
      return [entry.number, percentOf(value, percent) + share + fixed - onGoods]
    }),
  )
}

/**
 * A rule may have given a percentage, an amount, or both. The ledger knows the goods to the cent
 * only, so a difference of one cent is rounding. A discount that was cut to what the order cost is
 * less than its percentage, and counts as an amount.
 */
function partsOf(entry: LedgerEntry, goods: bigint): { fixed: bigint; percent: string } {
  const cents = -centsOf(entry)
  const fixed = entry.percent === null ? cents : cents - percentOf(goods * 100n, entry.percent)
  if (entry.percent === null || fixed < -1n) return { fixed: cents, percent: '0' }
  return { fixed: fixed > 1n ? fixed : 0n, percent: entry.percent }
}

/** The goods of the order in cents when the entry was written. */
function goodsBefore({ number }: LedgerEntry, entries: readonly LedgerEntry[]): bigint {
  return entries
    .filter((entry) => entry.number < number)
    .filter(({ kind, charge_number }) => {
      return kind === 'order' || (kind === 'credit' && charge_number === null)
    })
    .reduce((sum, entry) => sum + centsOf(entry), 0n)
}

function isDiscount({ entry }: Charge): boolean {
  return entry.charge_kind === 'discount'
}

function least(...amounts: bigint[]): bigint {
  return amounts.reduce((low, each) => (each < low ? each : low))
}

function returnedMore(before: readonly OrderLine[], after: readonly OrderLine[]): boolean {
  const sum = (lines: readonly OrderLine[]) =>
    lines.reduce((total, line) => total + line.returned_quantity, 0)
  return sum(after) > sum(before)
}
