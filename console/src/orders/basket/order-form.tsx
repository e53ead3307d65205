import { useState } from 'preact/hooks'
import { OWN_ADDRESSES } from '../../api/addresses.ts'
import { type ApiProblem, asProblem, isUncertain } from '../../api/client.ts'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  checkOrder,
  type Order,
  type OrderRequest,
  orderTotal,
  placeOrder,
} from '../../api/orders.ts'
import { createOwnStore } from '../../api/own-store.ts'
import { t } from '../../language/language.ts'
import { plural } from '../../lib/format.ts'
import { go } from '../../lib/router.ts'
import { useStore } from '../../lib/store.ts'
import { ProblemNote, Spinner } from '../../parts/feedback.tsx'
import { Checkbox, SelectField, TextField } from '../../parts/fields.tsx'
import { showToast } from '../../parts/toast.tsx'
import { BothCurrencies, RateNote, useOwnRate } from '../../stones/own-rate.tsx'
import { type BasketLine, removeFromBasket } from '../basket-store.ts'

interface OrderForm {
  type: OrderRequest['order_type']
  reference: string
  notes: string
  address: string
  /** Whether what cannot be ordered is left out, instead of refusing the whole order. */
  skips: boolean
}

const NEW_FORM: OrderForm = {
  type: 'invoice',
  reference: '',
  notes: '',
  address: '',
  skips: false,
}

/** What is filled in beside the basket, which stays with it until it is ordered. */
const basketForm = createOwnStore<OrderForm>('basket-form', NEW_FORM)

/** An order that is being filled in. A dry run checks every change, without placing anything. */
export function useOrderForm(lines: BasketLine[], quote_uuid?: string) {
  const kept = useStore(basketForm)
  const [ofQuote, setOfQuote] = useState(NEW_FORM)
  const form = quote_uuid === undefined ? kept : ofQuote
  const { type, reference, notes, address } = form
  const request: OrderRequest = {
    order_type: type,
    line_items: lines,
    ...(reference && { order_reference: reference }),
    ...(notes && { notes }),
    ...(address && { shipping_address_uuid: address }),
    ...(quote_uuid && { quote_uuid }),
  }
  const check = useRead(JSON.stringify([type, lines, address]), async (signal) =>
    lines.length === 0 ? undefined : checkItems(request, signal),
  )
  const change = (part: Partial<OrderForm>) => {
    if (quote_uuid === undefined) basketForm.set({ ...basketForm.get(), ...part })
    else setOfQuote((before) => ({ ...before, ...part }))
  }
  return { form, change, request, check }
}

/** The order as it can be placed, and why items of it are left out. */
interface CheckedOrder {
  order: Order
  leftOut: ApiProblem | undefined
}

/**
 * A refusal says why an item cannot be ordered and names similar ones; a second check names and
 * prices the rest. A quote is ordered as it is.
 */
async function checkItems(request: OrderRequest, signal: AbortSignal): Promise<CheckedOrder> {
  try {
    return { order: await checkOrder(request, signal), leftOut: undefined }
  } catch (error) {
    const leftOut = asProblem(error)
    if (request.quote_uuid !== undefined || !isAboutItems(leftOut)) throw error
    const rest = checkOrder({ ...request, on_unavailable: 'skip' }, signal)
    // When nothing can be ordered, the first refusal says more.
    const order = await rest.catch(() => {
      throw error
    })
    return { order, leftOut }
  }
}

/** What was ordered of a basket, and what was not. */
export interface PartOrder {
  order_id: string
  skipped: readonly string[]
}

/** The problems that are shown item by item. */
const STOCK_CODES = ['sku_unavailable', 'sku_on_hold', 'not_memoable']

export function isAboutItems(problem: ApiProblem | undefined): boolean {
  return problem !== undefined && STOCK_CODES.includes(problem.code)
}

/** How the order is placed: its type, address and texts, its total and the button. */
export function OrderPanel(props: {
  order: ReturnType<typeof useOrderForm>
  /** Lets one order without what is no longer available, and is told what that was. */
  onPart?: (part: PartOrder) => void
}) {
  const { form, change, request, check } = props.order
  const { leftOut } = check.value ?? {}
  const isRefused = check.problem !== undefined || (leftOut !== undefined && !form.skips)
  const checked = isRefused ? undefined : check.value
  const addresses = useRead('addresses', (signal) => OWN_ADDRESSES.list(signal))
  return (
    <section class="panel stack" aria-label={t('Order')}>
      <SelectField
        label={t('Order type')}
        value={form.type}
        options={[
          ['invoice', t('Invoice (buy)')],
          ['memo', t('Memo (on approval)')],
        ]}
        onChange={(type) => change({ type })}
      />
      <SelectField
        label={t('Shipping address')}
        value={form.address}
        options={[
          ['', t('Your default address')],
          ...(addresses.value ?? []).map(
            (each) => [each.uuid, `${each.name}, ${each.city}`] as const,
          ),
        ]}
        onChange={(address) => change({ address })}
      />
      <TextField
        label={t('Your reference')}
        value={form.reference}
        onInput={(reference) => change({ reference })}
      />
      <TextField label={t('Notes')} value={form.notes} onInput={(notes) => change({ notes })} />
      {props.onPart && (
        <Checkbox checked={form.skips} onChange={(skips) => change({ skips })}>
          {t('Leave out what is no longer available')}
        </Checkbox>
      )}
      <Total
        order={checked?.order}
        leftOut={checked ? skippedOf(request, checked.order).length : 0}
        busy={check.loading}
      />
      <PlaceButton
        // Why an order was refused is about these items.
        key={JSON.stringify(request.line_items)}
        request={form.skips ? { ...request, on_unavailable: 'skip' } : request}
        ready={!isRefused && !check.loading && request.line_items.length > 0}
        onRefused={check.reload}
        onPart={props.onPart}
      />
    </section>
  )
}

/** The SKUs that were asked for and are not in the order. */
function skippedOf(request: OrderRequest, order: Order): string[] {
  const ordered = new Set(order.line_items.map(({ sku }) => sku))
  return request.line_items.flatMap(({ sku }) => (ordered.has(sku) ? [] : [sku]))
}

function Total(props: { order: Order | undefined; leftOut: number; busy: boolean }) {
  const { order, leftOut, busy } = props
  const rate = useOwnRate()
  const available =
    leftOut > 0
      ? t('without {items}', { items: plural(leftOut, 'item') })
      : t('All items available')
  const state = order ? available : ''
  return (
    <div class="price-steps" aria-live="polite">
      <span class="row">
        <strong>{order ? <BothCurrencies amount={orderTotal(order)} rate={rate} /> : '–'}</strong>
        <span class="muted small">{busy ? t('Checking availability …') : state}</span>
        {busy && <Spinner />}
      </span>
      <RateNote rate={rate} text={t('Orders are in US dollars.')} />
    </div>
  )
}

/** A second click, or a retry after a lost response, orders once. */
function PlaceButton(props: {
  request: OrderRequest
  ready: boolean
  onRefused: () => void
  onPart: ((part: PartOrder) => void) | undefined
}) {
  const action = useAction()
  const place = () =>
    action.run(async (keyFor) => {
      try {
        const order = await placeOrder(props.request, keyFor(props.request))
        const skipped = skippedOf(props.request, order)
        for (const { sku } of props.request.line_items) {
          if (!skipped.includes(sku)) removeFromBasket(sku)
        }
        if (props.request.quote_uuid === undefined) basketForm.set(NEW_FORM)
        if (skipped.length > 0) return props.onPart?.({ order_id: order.order_id, skipped })
        showToast(t('Order {number} has been placed.', { number: order.order_id }))
        go(`/orders/${encodeURIComponent(order.order_id)}`)
      } catch (error) {
        // A check would say that the items are sold, if they are sold to this order.
        if (!isUncertain(asProblem(error))) props.onRefused()
        throw error
      }
    })
  return (
    <>
      <ProblemNote problem={action.problem} />
      <button
        type="button"
        class="button is-main"
        disabled={!props.ready || action.busy}
        onClick={() => void place()}
      >
        {action.busy && <Spinner />} {t('Place order')}
      </button>
    </>
  )
}
