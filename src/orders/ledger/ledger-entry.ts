import { divideHalfUp, scaledFrom } from '../../lib/money.ts'
import { newUuid } from '../../lib/uuid.ts'
import { BASE_CURRENCY } from '../../pricing/exchange-rates.ts'
import {
  isCertificate,
  type LedgerEntry,
  type OrderLine,
  type OrderRow,
  unitsReturnable,
} from '../order.ts'

/** An entry that is about to be written. Cents, because sums of them are exact. */
export interface EntryDraft
  extends Partial<
    Pick<
      LedgerEntry,
      | 'label'
      | 'charge_kind'
      | 'percent'
      | 'charge_number'
      | 'method'
      | 'reference'
      | 'dated_on'
      | 'reason'
    >
  > {
  kind: LedgerEntry['kind']
  /** By how much it changes the balance. */
  cents: bigint
}

/** Who made the entries, when, and after how many others of the order. */
interface Writing {
  by: string
  now: string
  first: number
}

export function entriesFrom(
  { uuid: order_uuid, merchant_uuid }: Pick<OrderRow, 'uuid' | 'merchant_uuid'>,
  drafts: readonly EntryDraft[],
  { by, now, first }: Writing,
): LedgerEntry[] {
  return drafts.map(({ cents, ...draft }, index) => ({
    order_uuid,
    number: first + index,
    uuid: newUuid(),
    merchant_uuid,
    amount: digitsOf(cents),
    currency_code: BASE_CURRENCY,
    label: '',
    charge_kind: null,
    percent: null,
    charge_number: null,
    method: '',
    reference: '',
    dated_on: dayOf(now),
    made_by: by,
    reason: '',
    created_on: now,
    ...draft,
  }))
}

/** `2026-01-31` of a timestamp as PostgreSQL prints it in UTC. */
export function dayOf(timestamp: string): string {
  return timestamp.slice(0, 10)
}

function digitsOf(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export function centsOf({ amount }: Pick<LedgerEntry, 'amount'>): bigint {
  return scaledFrom(amount, 2)
}

/** Cents as a JSON number: a division by 100 is correctly rounded. */
export function dollarsFrom(cents: bigint): number {
  return Number(cents) / 100
}

/** Cents of an amount with at most two decimals that a caller sent. */
export function centsFromAmount(amount: number): bigint {
  return BigInt(Math.round(amount * 100))
}

/** For a sentence: `$1,745.00`. */
export function dollarText(cents: bigint): string {
  const amount = digitsOf(cents < 0n ? -cents : cents)
  return `${cents < 0n ? '-' : ''}$${amount.replace(/\B(?=(\d{3})+\.)/g, ',')}`
}

/** What the merchant still has to pay, in cents; negative when it has paid too much. */
export function balanceOf(entries: readonly Pick<LedgerEntry, 'amount'>[]): bigint {
  return entries.reduce((sum, entry) => sum + centsOf(entry), 0n)
}

/** The value of what was neither cancelled nor returned, in 1/10,000 dollars as prices are. */
export function keptValue(lines: readonly OrderLine[]): bigint {
  return sumPrices(lines, unitsReturnable)
}

/** The value of all that was ordered. */
export function agreedValue(lines: readonly OrderLine[]): bigint {
  return sumPrices(lines, ({ quantity }) => quantity)
}

function sumPrices(lines: readonly OrderLine[], unitsOf: (line: OrderLine) => number): bigint {
  return lines
    .filter((line) => !isCertificate(line))
    .reduce((sum, line) => sum + scaledFrom(line.price, 4) * BigInt(unitsOf(line)), 0n)
}

/** What the credit for goods is called. */
export function lossLabel(isReturned: boolean): string {
  return isReturned ? 'Returned goods' : 'Cancelled goods'
}

export function roundedCents(value: bigint): bigint {
  return divideHalfUp(value, 100n)
}

/** A percentage of goods in cents. Its three decimals, 1/10,000 dollars and percent make 10^7. */
export function percentOf(value: bigint, percent: string): bigint {
  return divideHalfUp(value * scaledFrom(percent, 3), 10_000_000n)
}

/** A charge of the order, with what is left of it after credits. */
export interface Charge {
  entry: LedgerEntry
  left: bigint
}

/** The charges in force: those that no later entry has taken back completely. */
export function chargesOf(entries: readonly LedgerEntry[]): Charge[] {
  return allCharges(entries)
    .filter(({ replaced }) => !replaced)
    .map(({ entry, left }) => ({ entry, left }))
}

/**
 * The credits of goods and of the charges in force. What a replaced charge was credited is not one
 * of them: together with the charge and the entry that took back the rest of it, it is nothing.
 */
export function creditsOf(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const replaced = allCharges(entries).filter((charge) => charge.replaced)
  const numbers = new Set(replaced.map(({ entry }) => entry.number))
  return entries.filter(({ kind, charge_number }) => {
    return kind === 'credit' && !(charge_number !== null && numbers.has(charge_number))
  })
}

function allCharges(entries: readonly LedgerEntry[]): (Charge & { replaced: boolean })[] {
  const charges = entries
    .filter(({ kind, charge_number }) => kind === 'charge' && charge_number === null)
    .map((entry) => ({ entry, left: centsOf(entry), replaced: false }))
  const byNumber = new Map(charges.map((charge) => [charge.entry.number, charge]))
  for (const entry of entries) {
    const charge = entry.charge_number === null ? undefined : byNumber.get(entry.charge_number)
    if (!charge) continue
    charge.left += centsOf(entry)
    if (entry.kind === 'charge') charge.replaced = true
  }
  return charges
}

/**
 * An invoice is paid when nothing is left to pay. One that was cancelled before it was shipped or
 * paid is not.
 */
export function paymentStatusOf(
  orderType: OrderRow['order_type'],
  entries: readonly LedgerEntry[],
  lines: readonly OrderLine[],
): OrderRow['payment_status'] {
  if (orderType === 'memo' || balanceOf(entries) > 0n) return null
  const isSold = lines
    .filter((line) => !isCertificate(line))
    .some((line) => unitsReturnable(line) > 0 || line.fulfilled_quantity > 0)
  return isSold || entries.some(({ kind }) => kind === 'payment') ? 'paid' : null
}
