import { useState } from 'preact/hooks'
import { mayDo } from '../../api/session-store.ts'
import { t, withElements } from '../../language/language.ts'
import { plural } from '../../lib/format.ts'
import { useStore } from '../../lib/store.ts'
import { Empty, ProblemNote } from '../../parts/feedback.tsx'
import { basket } from '../basket-store.ts'
import { goodsName } from '../goods.tsx'
import { AskQuoteButton } from '../quotes/ask-button.tsx'
import { BasketLines } from './lines.tsx'
import { isAboutItems, OrderPanel, type PartOrder, useOrderForm } from './order-form.tsx'
import { RefusedLines } from './refused-lines.tsx'

/** The items to order, for those who may order. */
export function BasketPage() {
  return mayDo('orders:write') ? <Basket /> : <ReadOnly />
}

function ReadOnly() {
  return (
    <>
      <h1>{t('Basket')}</h1>
      <Empty title={t('You may look at everything, but not order')}>
        <p>{t('An owner among the users of your company can give you the role of a buyer.')}</p>
        <a class="button" href="/settings/users">
          {t('To the users')}
        </a>
      </Empty>
    </>
  )
}

/** A dry run checks every change, without placing anything. */
function Basket() {
  const lines = useStore(basket)
  const order = useOrderForm(lines)
  const [part, setPart] = useState<PartOrder>()
  const { check } = order
  if (lines.length === 0) return <EmptyBasket part={part} />
  const checked = check.problem ? undefined : check.value?.order
  const asked = lines.map((line) => {
    const item = checked?.line_items.find(({ sku }) => sku === line.sku)
    const { text: name, lang } = goodsName(item ?? {})
    const price = item && { price: item.price, price_currency: 'USD' }
    return { ...line, name, ...(lang && { lang }), ...price }
  })
  return (
    <>
      <div class="page-head">
        <h1>{t('Basket')}</h1>
        <div class="page-tools">
          <AskQuoteButton lines={asked} class="button" />
        </div>
      </div>
      {part && <PartNote part={part} />}
      <div class="columns">
        <section class="panel" aria-label={t('Items')}>
          <BasketLines lines={lines} checked={checked} />
          <RefusedLines problem={check.problem ?? check.value?.leftOut} />
          {check.problem && !isAboutItems(check.problem) && (
            <ProblemNote problem={check.problem} onRetry={check.reload} />
          )}
        </section>
        <OrderPanel order={order} onPart={setPart} />
      </div>
    </>
  )
}

/** What an order was placed without; it is still in the basket. */
function PartNote({ part: { order_id, skipped } }: { part: PartOrder }) {
  return (
    <div class="note is-warn" role="status" style={{ marginBottom: '16px' }}>
      <p>
        {withElements('Order {number} has been placed without {items}: {skus}', {
          number: (
            <a key="order" href={`/orders/${encodeURIComponent(order_id)}`}>
              {order_id}
            </a>
          ),
          items: plural(skipped.length, 'item'),
          skus: (
            <span key="skus" class="mono">
              {skipped.join(', ')}
            </span>
          ),
        })}
      </p>
      <p class="small">{t('What was left out is still in your basket.')}</p>
    </div>
  )
}

function EmptyBasket({ part }: { part: PartOrder | undefined }) {
  return (
    <>
      <h1>{t('Basket')}</h1>
      {part && <PartNote part={part} />}
      <Empty title={t('Your basket is empty')}>
        <p>{t('Add stones, parcels or jewelry to place an order.')}</p>
        <a class="button is-main" href="/search">
          {t('Search diamonds')}
        </a>
      </Empty>
    </>
  )
}
