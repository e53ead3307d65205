import type { Selectable } from 'kysely'
import type { ChargeRuleTable } from '../../database/tables/orders.ts'
import { scaledFrom } from '../../lib/money.ts'
import { signOf } from '../../reference/charges.ts'
import type { OrderLine } from '../order.ts'
import {
  agreedValue,
  type EntryDraft,
  keptValue,
  lossLabel,
  percentOf,
  roundedCents,
} from './ledger-entry.ts'

export type ChargeRule = Selectable<ChargeRuleTable>

/**
 * What an order owes when it becomes an invoice: its goods, and the charges of the rules. A memo
 * that is converted is credited what it lost before, because its total stays as agreed.
 */
export function invoiceDrafts(
  lines: readonly OrderLine[],
  rules: readonly ChargeRule[],
  countryCode: string,
): EntryDraft[] {
  const value = keptValue(lines)
  const [agreed, goods] = [roundedCents(agreedValue(lines)), roundedCents(value)]
  const charges = rulesFor(rules, countryCode).map((rule) => chargeOf(rule, value))
  const isReturned = lines.some(({ returned_quantity }) => returned_quantity > 0)
  const lost: EntryDraft = { kind: 'credit', cents: goods - agreed, label: lossLabel(isReturned) }
  return [
    { kind: 'order', cents: agreed },
    ...(lost.cents === 0n ? [] : [lost]),
    ...withinGoods(charges, goods),
  ]
}

/** A rule without a country holds where no rule of its kind names the country. */
function rulesFor(rules: readonly ChargeRule[], countryCode: string): ChargeRule[] {
  const own = rules.filter(({ country_code }) => country_code === countryCode)
  const ownKinds = new Set(own.map(({ kind }) => kind))
  return rules.filter(({ country_code, kind }) =>
    country_code === null ? !ownKinds.has(kind) : country_code === countryCode,
  )
}

function chargeOf({ kind, label, amount, percent }: ChargeRule, value: bigint): EntryDraft {
  const fixed = amount === null ? 0n : scaledFrom(amount, 2)
  const cents = fixed + (percent === null ? 0n : percentOf(value, percent))
  return {
    kind: 'charge',
    charge_kind: kind,
    label,
    percent,
    cents: signOf(kind) * cents,
  }
}

/** Discounts of rules never make an order cost less than nothing. */
function withinGoods(charges: readonly EntryDraft[], goods: bigint): EntryDraft[] {
  let left = charges.reduce((sum, { cents }) => (cents > 0n ? sum + cents : sum), goods)
  return charges
    .map((charge) => {
      if (charge.cents >= 0n) return charge
      const cents = -charge.cents > left ? -left : charge.cents
      left += cents
      return { ...charge, cents }
    })
    .filter(({ cents }) => cents !== 0n)
}
