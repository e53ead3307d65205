import { t } from '../../language/language.ts'
import { useStore } from '../../lib/store.ts'
import { Empty, ProblemNote } from '../../parts/feedback.tsx'
import { basket } from '../basket-store.ts'
import { AskQuoteButton } from '../quotes/ask-button.tsx'
import { BasketLines } from './lines.tsx'
import { isAboutItems, OrderPanel, useOrderForm } from './order-form.tsx'
import { RefusedLines } from './refused-lines.tsx'

/** The items to order. A dry run checks every change, without placing anything. */
export function BasketPage() {
  const lines = useStore(basket)
  const order = useOrderForm(lines)
  const { check } = order
  if (lines.length === 0) return <EmptyBasket />
  const checked = check.problem ? undefined : check.value
  const asked = lines.map((line) => {
    const item = checked?.line_items.find(({ sku }) => sku === line.sku)
    return { ...line, name: item?.description || item?.name || '', lang: 'en' }
  })
  return (
    <>
      <div class="page-head">
        <h1>{t('Basket')}</h1>
        <div class="page-tools">
          <AskQuoteButton lines={asked} class="button" />
        </div>
      </div>
      <div class="columns">
        <section class="panel" aria-label={t('Items')}>
          <BasketLines lines={lines} checked={checked} />
          <RefusedLines problem={check.problem} />
          {check.problem && !isAboutItems(check.problem) && (
            <ProblemNote problem={check.problem} onRetry={check.reload} />
          )}
        </section>
        <OrderPanel order={order} />
      </div>
    </>
  )
}

function EmptyBasket() {
  return (
    <>
      <h1>{t('Basket')}</h1>
      <Empty title={t('Your basket is empty')}>
        <p>{t('Add stones, parcels or jewelry to place an order.')}</p>
        <a class="button is-main" href="/search">
          {t('Search diamonds')}
        </a>
      </Empty>
    </>
  )
}
