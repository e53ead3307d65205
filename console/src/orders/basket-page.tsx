import { useRef, useState } from 'preact/hooks'
import { type ApiProblem, asProblem, newIdempotencyKey } from '../api/client.ts'
import { useAction, useRead } from '../api/hooks.ts'
import { checkOrder, type Order, type OrderRequest, orderTotal, placeOrder } from '../api/orders.ts'
import { listAddresses } from '../api/settings.ts'
import { go } from '../lib/router.ts'
import { useStore } from '../lib/store.ts'
import { Empty, ProblemNote, Spinner } from '../parts/feedback.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { showToast } from '../parts/toast.tsx'
import { BothCurrencies, RateNote, useOwnRate } from '../stones/own-rate.tsx'
import { BasketLines } from './basket-lines.tsx'
import { basket, emptyBasket } from './basket-store.ts'
import { RefusedLines } from './refused-lines.tsx'

/** The items to order. A dry run checks every change, without placing anything. */
export function BasketPage() {
  const lines = useStore(basket)
  const [type, setType] = useState<'invoice' | 'memo'>('invoice')
  const [reference, setReference] = useState('')
  const [notes, setNotes] = useState('')
  const [address, setAddress] = useState('')
  const addresses = useRead('addresses', (signal) => listAddresses(signal))
  const request: OrderRequest = {
    order_type: type,
    line_items: lines,
    ...(reference && { order_reference: reference }),
    ...(notes && { notes }),
    ...(address && { shipping_address_uuid: address }),
  }
  const check = useRead(JSON.stringify([type, lines, address]), async (signal) =>
    lines.length === 0 ? undefined : checkOrder(request, signal),
  )
  if (lines.length === 0) return <EmptyBasket />
  return (
    <>
      <div class="page-head">
        <h1>Basket</h1>
      </div>
      <div class="columns">
        <section class="panel" aria-label="Items">
          <BasketLines lines={lines} checked={check.problem ? undefined : check.value} />
          <RefusedLines problem={check.problem} />
          {isOther(check.problem) && <ProblemNote problem={check.problem} onRetry={check.reload} />}
        </section>
        <section class="panel stack" aria-label="Order">
          <SelectField
            label="Order type"
            value={type}
            options={[
              ['invoice', 'Invoice (buy)'],
              ['memo', 'Memo (on approval)'],
            ]}
            onChange={setType}
          />
          <SelectField
            label="Shipping address"
            value={address}
            options={[
              ['', 'Your default address'],
              ...(addresses.value?.merchant_addresses ?? []).map(
                (each) => [each.uuid, `${each.name}, ${each.city}`] as const,
              ),
            ]}
            onChange={setAddress}
          />
          <TextField label="Your reference" value={reference} onInput={setReference} />
          <TextField label="Notes" value={notes} onInput={setNotes} />
          <Total order={check.problem ? undefined : check.value} busy={check.loading} />
          <PlaceButton
            request={request}
            ready={!check.problem && !check.loading}
            onRefused={check.reload}
          />
        </section>
      </div>
    </>
  )
}

/** The problems that RefusedLines shows item by item. */
const STOCK_CODES = ['sku_unavailable', 'sku_on_hold', 'not_memoable']

function isOther(problem: ApiProblem | undefined): boolean {
  return problem !== undefined && !STOCK_CODES.includes(problem.code)
}

function Total({ order, busy }: { order: Order | undefined; busy: boolean }) {
  const rate = useOwnRate()
  return (
    <div class="price-steps" aria-live="polite">
      <span class="row">
        <strong>{order ? <BothCurrencies amount={orderTotal(order)} rate={rate} /> : '–'}</strong>
        <span class="muted small">
          {busy ? 'Checking availability …' : order ? 'All items available' : ''}
        </span>
        {busy && <Spinner />}
      </span>
      <RateNote rate={rate} text="Orders are in US dollars." />
    </div>
  )
}

/** One key for each order: a second click, or a retry after a lost response, orders once. */
function PlaceButton(props: { request: OrderRequest; ready: boolean; onRefused: () => void }) {
  const action = useAction()
  const attempt = useRef({ body: '', key: '' })
  const place = () =>
    action.run(async () => {
      const body = JSON.stringify(props.request)
      if (attempt.current.body !== body) attempt.current = { body, key: newIdempotencyKey() }
      try {
        const order = await placeOrder(props.request, attempt.current.key)
        emptyBasket()
        showToast(`Order ${order.order_id} has been placed.`)
        go(`/orders/${encodeURIComponent(order.order_id)}`)
      } catch (error) {
        // A refusal is final for its key. Only after a lost response is the same key sent again.
        if (asProblem(error).status !== 0) attempt.current = { body: '', key: '' }
        props.onRefused()
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
        {action.busy && <Spinner />} Place order
      </button>
    </>
  )
}

function EmptyBasket() {
  return (
    <>
      <h1>Basket</h1>
      <Empty title="Your basket is empty">
        <p>Add stones, parcels or jewelry to place an order.</p>
        <a class="button is-main" href="/search">
          Search diamonds
        </a>
      </Empty>
    </>
  )
}
