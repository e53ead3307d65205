import type { Tx } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type ChargeKind, signOf } from '../../reference/charges.ts'
import {
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
  refuseBelowNothing(order, charges)
  const entries = replacing(order, charges)
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

/** From the first charge that differs: what was there is taken back, and the new ones follow. */
function replacing(order: Order, charges: readonly NewCharge[]): EntryDraft[] {
  const earlier = chargesOf(order.entries)
  const signed = charges.map((charge) => ({ ...charge, cents: signOf(charge.kind) * charge.cents }))
  let same = 0
  while (same < signed.length && same < earlier.length) {
    const [{ entry }, charge] = [earlier[same], signed[same]]
    if (entry.charge_kind !== charge.kind || entry.label !== charge.label) break
    if (centsOf(entry) !== charge.cents) break
    same++
  }
  return [
    ...earlier.slice(same).map(({ entry, left }) => ({
      kind: 'charge' as const,
      charge_kind: entry.charge_kind,
      label: entry.label,
      cents: -left,
      charge_number: entry.number,
      reason: 'replaced',
    })),
    ...signed.slice(same).map(({ kind, label, cents }) => {
      return { kind: 'charge' as const, charge_kind: kind, label, cents }
    }),
  ]
}

/** Discounts may not exceed what the order costs without them. */
function refuseBelowNothing(order: Order, charges: readonly NewCharge[]): void {
  const goods = roundedCents(keptValue(order.lines))
  const sum = charges.reduce((total, { kind, cents }) => total + signOf(kind) * cents, goods)
  if (sum >= 0n) return
  const at = charges.findIndex(({ kind }) => kind === 'discount')
  const message = `is too much: the order would cost ${dollarText(sum)}`
  throw new Refusal('invalid_request', `The discount ${message}.`, {
    errors: [{ field: `[${at}].amount`, message }],
  })
}
