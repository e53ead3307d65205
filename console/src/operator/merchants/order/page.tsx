import { useState } from 'preact/hooks'
import { addressesOf } from '../../../api/addresses.ts'
import { type ApiProblem, asProblem, newIdempotencyKey } from '../../../api/client.ts'
import { useAction, useRead } from '../../../api/hooks.ts'
import type { OperatorMerchant } from '../../../api/operator/merchants.ts'
import { checkOrderFor, type OrderCheck, placeOrderFor } from '../../../api/operator/orders.ts'
import { t } from '../../../language/language.ts'
import { money, plural } from '../../../lib/format.ts'
import { go } from '../../../lib/router.ts'
import { forgetUnsaved, useUnsaved } from '../../../lib/unsaved.ts'
import { confirmed } from '../../../parts/confirm.tsx'
import { ProblemNote } from '../../../parts/feedback.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { MerchantHead } from '../head.tsx'
import { type CheckedLine, linesOf, refusedLines } from './check.ts'
import { CheckedLines } from './checked-lines.tsx'
import { EMPTY_DRAFT, type OrderDraft, OrderForm } from './form.tsx'
import { readSkus } from './sku-list.ts'

/** What a dry run said, and about what. */
interface Checked {
  /** The draft that was checked; a changed one has to be checked again. */
  of: OrderDraft
  order: OrderCheck | undefined
  lines: CheckedLine[]
  problem: ApiProblem | undefined
}

/** An order that the operator places for a merchant, checked before it is placed. */
export function PlaceOrder({ merchant }: { merchant: OperatorMerchant }) {
  const { uuid } = merchant
  const [draft, setDraft] = useState(EMPTY_DRAFT)
  const [checked, setChecked] = useState<Checked>()
  const [key] = useState(newIdempotencyKey)
  const addresses = useRead(uuid, (signal) => addressesOf(uuid).list(signal))
  const action = useAction()
  useUnsaved(draft.skus.trim() !== '')
  const check = (of: OrderDraft) =>
    action.run(async () => setChecked(await checkDraft(merchant, of)))
  const isFresh = checked?.of === draft
  const orderable = checked?.lines.filter(({ price }) => price !== undefined) ?? []
  const place = () =>
    action.run(async () => {
      if (!checked?.order || !(await isPlacingMeant(merchant, checked.order))) return
      const line_items = orderable.map(({ sku, quantity }) => ({ sku, quantity }))
      const order_id = draft.order_id.trim()
      const named = { ...bodyOf(merchant, draft), line_items, ...(order_id && { order_id }) }
      const order = await placeOrderFor(named, key)
      forgetUnsaved()
      showToast(t('Order {number} is placed.', { number: order.order_id }))
      go(`/operator/orders/${order.uuid}`)
    })
  return (
    <>
      <MerchantHead merchant={merchant} part="order" title={titleFor(merchant)} />
      <OrderForm
        draft={draft}
        addresses={addresses.value ?? []}
        busy={action.busy}
        onChange={setDraft}
        onCheck={() => void check(draft)}
      />
      <ProblemNote problem={action.problem ?? (isFresh ? checked.problem : undefined)} />
      {checked && (
        <CheckedLines
          lines={checked.lines}
          order={checked.order}
          isFresh={isFresh}
          busy={action.busy}
          onReplace={(sku, other) => {
            const next = { ...draft, skus: replaced(draft.skus, sku, other) }
            setDraft(next)
            void check(next)
          }}
          onPlace={() => void place()}
        />
      )}
    </>
  )
}

function titleFor({ legal_dba }: OperatorMerchant): string {
  return t('Place an order for {merchant}', { merchant: legal_dba })
}

function bodyOf({ uuid }: OperatorMerchant, draft: OrderDraft) {
  const { order_type, ignore_limits, shipping_address_uuid } = draft
  const order_reference = draft.order_reference.trim()
  const notes = draft.notes.trim()
  return {
    merchant_uuid: uuid,
    order_type,
    ...(order_reference && { order_reference }),
    ...(notes && { notes }),
    ...(shipping_address_uuid && { shipping_address_uuid }),
    ...(ignore_limits && { ignore_limits }),
  }
}

/** Lines that cannot be ordered are named; the others are priced. */
async function checkDraft(merchant: OperatorMerchant, of: OrderDraft): Promise<Checked> {
  const line_items = readSkus(of.skus)
  const body = { ...bodyOf(merchant, of), line_items, on_unavailable: 'skip' as const }
  try {
    const order = await checkOrderFor(body)
    return { of, order, lines: linesOf(line_items, order), problem: undefined }
  } catch (error) {
    const problem = asProblem(error)
    return { of, order: undefined, lines: refusedLines(line_items, problem), problem }
  }
}

function isPlacingMeant(merchant: OperatorMerchant, order: OrderCheck): Promise<boolean> {
  const values = {
    lines: plural(order.line_items.length, 'line'),
    total: money(order.total, 'USD'),
    merchant: merchant.legal_dba,
  }
  return confirmed({
    title: t('Place this order for {merchant}?', values),
    text:
      order.order_type === 'memo'
        ? t('{lines} worth {total} go to {merchant} on memo.', values)
        : t('{lines} are sold to {merchant} for {total}.', values),
    action: t('Place order'),
  })
}

function replaced(skus: string, sku: string, other: string | undefined): string {
  const lines = readSkus(skus).flatMap((line) => {
    if (line.sku !== sku) return [line]
    return other === undefined ? [] : [{ ...line, sku: other }]
  })
  return lines
    .map((line) => (line.quantity === 1 ? line.sku : `${line.sku} ${line.quantity}`))
    .join('\n')
}
