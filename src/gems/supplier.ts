import type { Selectable } from 'kysely'
import type { StoneType, SupplierTable } from '../database/tables/gems.ts'
import { scaledFrom } from '../lib/money.ts'
import { type FieldError, Refusal } from '../lib/refusal.ts'
import { isoOrNull, isoWithOffset } from '../lib/timestamps.ts'
import { isCurrency } from '../reference/currencies.ts'

export type Supplier = Selectable<SupplierTable>

/** What the operator sets. Percentages as digits or numbers with at most two decimals. */
export interface SupplierSettings {
  contact?: string
  country_code?: string | null
  currency_code?: string
  markup?: string | number
  markup_us?: string | number
  delivery_days_min?: number
  delivery_days_max?: number
  returnable?: boolean
  days_to_return?: number
  can_hold?: boolean
  /** Its lines must be confirmed; applies to orders that are placed from then on. */
  confirms?: boolean
  /** It ships to merchants itself. */
  ships?: boolean
  memo?: boolean
  memo_days_to_return?: number
  internal_days_to_return?: number
  si3?: 'SI2' | 'I1'
  fresh_days?: number | null
  mapping?: Record<string, unknown> | null
  jewelry_mapping?: Record<string, unknown> | null
  stone_type?: StoneType | null
}

const NAME_LENGTH_MAX = 120
const DAYS_MAX = 3650
const MARKUP_MAX = 10_000

/** A supplier's name as it is stored: trimmed, with single spaces. */
export function supplierNameFrom(typed: string): string {
  const name = typed.trim().replaceAll(/\s+/g, ' ')
  if (name === '' || name.length > NAME_LENGTH_MAX) {
    throw new Refusal('invalid_request', 'A supplier needs a name of 1 to 120 characters.', {
      errors: [{ field: 'name', message: `must have 1 to ${NAME_LENGTH_MAX} characters` }],
    })
  }
  return name
}

/** Refuses settings that the table would not accept, and names every wrong field. */
export function checkSupplierSettings(settings: SupplierSettings): void {
  const errors: FieldError[] = []
  const refuse = (field: keyof SupplierSettings, message: string) => errors.push({ field, message })
  const { country_code: country, currency_code: currency, si3 } = settings
  if (country != null && !/^[A-Z]{3}$/.test(country)) {
    refuse('country_code', 'must be three capital letters, for example IND')
  }
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) {
    refuse('currency_code', 'must be three capital letters, for example USD')
  } else if (currency !== undefined && !isCurrency(currency)) {
    refuse('currency_code', `must be the code of a currency such as USD, which ${currency} is not`)
  }
  for (const field of ['markup', 'markup_us'] as const) {
    const percent = settings[field]
    if (percent !== undefined && !isMarkup(percent)) {
      refuse(field, `must be a percentage above -100, at most ${MARKUP_MAX}, with two decimals`)
    }
  }
  for (const field of DAY_FIELDS) {
    const days = settings[field]
    const daysMin = field === 'fresh_days' ? 1 : 0
    if (days != null && !(Number.isInteger(days) && days >= daysMin && days <= DAYS_MAX)) {
      refuse(field, `must be a whole number of days from ${daysMin} to ${DAYS_MAX}`)
    }
  }
  if (si3 !== undefined && si3 !== 'SI2' && si3 !== 'I1') refuse('si3', 'must be SI2 or I1')
  if (errors.length > 0) {
    const [first] = errors
    throw new Refusal('invalid_request', `${first.field} ${first.message}.`, { errors })
  }
}

const DAY_FIELDS = [
  'delivery_days_min',
  'delivery_days_max',
  'days_to_return',
  'memo_days_to_return',
  'internal_days_to_return',
  'fresh_days',
] as const

function isMarkup(percent: string | number): boolean {
  if (!/^-?\d{1,5}(\.\d{1,2})?$/.test(String(percent))) return false
  return Number(percent) > -100 && Number(percent) <= MARKUP_MAX
}

/**
 * The factor of a markup in ten-thousandths, for `wholesaleCents`: `'12.5'` percent is 11250. It is
 * computed once per supplier.
 */
export function markupFactor(percent: string): number {
  return Number(scaledFrom(percent, 2)) + 10_000
}

/**
 * Wholesale price = the feed's price x (1 + markup / 100), rounded half up, at least one cent.
 * Exact without BigInt: cost < 1e12 cents (numeric(12, 2)) would overflow only beyond a factor of
 * 4500, and a quotient below 1e12 resolves steps far finer than 1 / 20000.
 */
export function wholesaleCents(costCents: number, factor: number): number {
  const product = costCents * factor * 2
  if (!Number.isSafeInteger(product)) throw new RangeError(`cost ${costCents} is beyond all stones`)
  return Math.max(1, Math.floor((product + 10_000) / 20_000))
}

/** What the audit says of a supplier: its settings, as the operator sees them. */
export function auditedSupplier(supplier: Supplier) {
  const { reading: _, synced_on: __, updated_on: ___, ...settings } = renderSupplier(supplier)
  return settings
}

/** A supplier as the operator sees it, by HTTP and on the command line. */
export function renderSupplier({ id: supplier_id, markup_set_on: _, ...supplier }: Supplier) {
  return {
    ...supplier,
    supplier_id,
    markup: Number(supplier.markup),
    markup_us: Number(supplier.markup_us),
    synced_on: isoOrNull(supplier.synced_on),
    created_on: isoWithOffset(supplier.created_on),
    updated_on: isoWithOffset(supplier.updated_on),
  }
}
