import { useRef, useState } from 'preact/hooks'
import { type ApiProblem, newIdempotencyKey } from '../api/client.ts'
import { asProblem, useAction, useRead } from '../api/hooks.ts'
import { checkOrder, type Order, orderTotal, type Placement, placeOrder } from '../api/orders.ts'
import { listAddresses } from '../api/settings.ts'
import { money } from '../lib/format.ts'
import { go } from '../lib/router.ts'
import { useStore } from '../lib/store.ts'
import { Empty, ProblemNote, Spinner } from '../parts/feedback.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { showToast } from '../parts/toast.tsx'
import { BasketLines } from './basket-lines.tsx'
import { basket, emptyBasket } from './basket-store.ts'
import { RefusedLines } from './refused-lines.tsx'

/** What shall be ordered. Every change is checked by a dry run; nothing is written before. */
export function BasketPage() {
  const lines = useStore(basket)
  const [type, setType] = useState<'invoice' | 'memo'>('invoice')
  const [reference, setReference] = useState('')
  const [notes, setNotes] = useState('')
  const [address, setAddress] = useState('')
  const addresses = useRead('addresses', (signal) => listAddresses(signal))
  const placement: Placement = {
    order_type: type,
    line_items: lines,
    ...(reference && { order_reference: reference }),
    ...(notes && { notes }),
    ...(address && { shipping_address_uuid: address }),
  }
  const check = useRead(JSON.stringify([type, lines, address]), async (signal) =>
    lines.length === 0 ? undefined : checkOrder({ ...placement }, signal),
  )
  if (lines.length === 0) return <EmptyBasket />
  return (
    <>
      <div class="page-head">
        <h1>Basket</h1>
      </div>
      <div class="columns">
        <section class="panel" aria-label="Lines">
          <BasketLines lines={lines} checked={check.problem ? undefined : check.value} />
          <RefusedLines problem={check.problem} />
          {isOther(check.problem) && <ProblemNote problem={check.problem} onRetry={check.reload} />}
        </section>
        <section class="panel stack" aria-label="Order">
          <SelectField
            label="Order type"
            value={type}
            options={[
              ['invoice', 'Invoice: you buy'],
              ['memo', 'Memo: you take it to look at'],
            ]}
            onChange={setType}
          />
          <SelectField
            label="Ship to"
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
            placement={placement}
            ready={!check.problem && !check.loading}
            onRefused={check.reload}
          />
        </section>
      </div>
    </>
  )
}

const STOCK_CODES = ['sku_unavailable', 'sku_on_hold', 'not_memoable']

function isOther(problem: ApiProblem | undefined): boolean {
  return problem !== undefined && !STOCK_CODES.includes(problem.code)
}

function Total({ order, busy }: { order: Order | undefined; busy: boolean }) {
  return (
    <p class="price-steps" aria-live="polite">
      <span class="row">
        <strong>{order ? money(orderTotal(order), 'USD') : '–'}</strong>
        <span class="muted small">
          {busy ? 'checking …' : order ? 'checked, all in stock' : ''}
        </span>
        {busy && <Spinner />}
      </span>
    </p>
  )
}

/** One key per attempt to order: pressing twice, or again after a lost answer, orders once. */
function PlaceButton(props: { placement: Placement; ready: boolean; onRefused: () => void }) {
  const action = useAction()
  const attempt = useRef({ body: '', key: '' })
  const place = () =>
    action.run(async () => {
      const body = JSON.stringify(props.placement)
      if (attempt.current.body !== body) attempt.current = { body, key: newIdempotencyKey() }
      try {
        const order = await placeOrder(props.placement, attempt.current.key)
        emptyBasket()
        showToast(`Order ${order.order_id} is placed.`)
        go(`/orders/${encodeURIComponent(order.order_id)}`)
      } catch (error) {
        // A refusal is final for its key; only a lost answer is asked for again with the same.
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
        {action.busy && <Spinner />} Place the order
      </button>
    </>
  )
}

function EmptyBasket() {
  return (
    <>
      <h1>Basket</h1>
      <Empty title="The basket is empty">
        <p>Put stones, parcels or jewelry into it; they are checked while you fill it.</p>
        <a class="button is-main" href="/search">
          To the diamonds
        </a>
      </Empty>
    </>
  )
}
