import type { Tx } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type ChargeKind, signOf } from '../../reference/charges.ts'
import {
  type Charge,
  centsOf,
  chargesOf,
  dollarsFrom,
  dollarText,
  type EntryDraft,
  keptValue,
  roundedCents,
} from '../ledger/ledger-entry.ts'
import { hasInvoice } from '../ledger/terms.ts'
import type { Order } from '../order.ts'
import { refuseUnless } from '../order-life.ts'
import { lockOrder } from '../order-store.ts'
import { saveChange } from './order-change.ts'

interface NewCharge {
  kind: ChargeKind
  label: string
  /** Positive, also of a discount. */
  cents: bigint
}

/**
 * Replaces the charges of an order until it has an invoice. The ledger keeps the earlier ones, each
 * with an entry that takes it back. Charges that stay the same are not written again.
 */
export async function setCharges(
  tx: Tx,
  uuid: string,
  charges: readonly NewCharge[],
  madeBy?: string,
): Promise<Order> {
  const { order, now } = await lockOrder(tx, uuid)
  refuseUnless(order, 'charge', whyNotChargeable(order))
  const plan = planReplacement(order, charges)
  refuseBelowNothing(order, charges, plan)
  const entries = entriesOf(plan)
  if (entries.length === 0) return order
  return saveChange(
    tx,
    order,
    {
      step: 'charge',
      entries,
      ...(madeBy !== undefined && { made_by: madeBy }),
      event_type: 'order.charge',
      event_data: {
        charges: charges.map(({ kind, label, cents }) => {
          return { kind, label, amount: dollarsFrom(cents) }
        }),
      },
    },
    now,
  )
}

function whyNotChargeable(order: Order): string {
  if (order.order_type === 'memo') return 'A memo has no charges before it is converted'
  if (hasInvoice(order)) return 'The invoice is made, and its charges are final'
  return `The order is ${order.order_status}`
}

interface Replacement {
  kept: Charge[]
  takenBack: Charge[]
  added: (NewCharge & { signed: bigint })[]
}

/**
 * From the first charge that differs, what was there is taken back and the new ones follow. A
 * charge that is sent as it is shown stays where writing it again would change what it costs: it is
 * a percentage of the goods, or fell with goods that were cancelled.
 */
function planReplacement(order: Order, charges: readonly NewCharge[]): Replacement {
  const earlier = chargesOf(order.entries)
  const wanted = charges.map((charge) => {
    return { ...charge, signed: signOf(charge.kind) * charge.cents }
  })
  const differs = wanted.findIndex((charge, at) => !earlier[at] || !isSame(earlier[at], charge))
  const same = differs < 0 ? wanted.length : differs
  const plan: Replacement = {
    kept: earlier.slice(0, same),
    takenBack: [],
    added: wanted.slice(same),
  }
  for (const charge of earlier.slice(same)) {
    const at = isPlain(charge) ? -1 : plan.added.findIndex((added) => isSame(charge, added))
    if (at < 0) plan.takenBack.push(charge)
    else {
      plan.kept.push(charge)
      plan.added.splice(at, 1)
    }
  }
  return plan
}

function isSame({ entry }: Charge, { kind, label, signed }: Replacement['added'][number]): boolean {
  return entry.charge_kind === kind && entry.label === label && centsOf(entry) === signed
}

function isPlain({ entry, left }: Charge): boolean {
  return entry.percent === null && left === centsOf(entry)
}

function entriesOf({ takenBack, added }: Replacement): EntryDraft[] {
  return [
    ...takenBack.map(({ entry, left }) => ({
      kind: 'charge' as const,
      charge_kind: entry.charge_kind,
      label: entry.label,
      cents: -left,
      charge_number: entry.number,
      reason: 'replaced',
    })),
    ...added.map(({ kind, label, signed }) => {
      return { kind: 'charge' as const, charge_kind: kind, label, cents: signed }
    }),
  ]
}

/** Discounts may not exceed what the order costs without them. */
function refuseBelowNothing(
  order: Order,
  charges: readonly NewCharge[],
  { kept, added }: Replacement,
): void {
  const goods = roundedCents(keptValue(order.lines))
  const withKept = kept.reduce((total, { left }) => total + left, goods)
  const sum = added.reduce((total, { signed }) => total + signed, withKept)
  if (sum >= 0n) return
  const at = charges.findIndex(({ kind }) => kind === 'discount')
  const message = `is too much: the order would cost ${dollarText(sum)}`
  throw new Refusal('invalid_request', `The discount ${message}.`, {
    errors: [{ field: `[${at}].amount`, message }],
  })
}
