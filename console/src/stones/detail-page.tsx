import { findDiamond, findGemstone } from '../api/gems.ts'
import { useRead } from '../api/hooks.ts'
import { searchOrders } from '../api/orders.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { isCustomerView } from '../lib/customer-view.ts'
import { capitalize, date } from '../lib/format.ts'
import { Empty, Loading, PageProblem } from '../parts/feedback.tsx'
import { ShareButton } from '../shares/share-button.tsx'
import { WatchButton } from '../watched/watch-button.tsx'
import { Alternatives } from './alternatives.tsx'
import { BasketButton, CompareButton } from './buttons.tsx'
import { StoneFacts } from './facts.tsx'
import { HoldButton } from './hold-button.tsx'
import { HoldTag } from './hold-tag.tsx'
import { gemName } from './labels.ts'
import { StoneMedia } from './media.tsx'
import { PriceHistory } from './price-history.tsx'
import { PriceSteps } from './price-steps.tsx'

/** One stone: pictures, price, facts, and similar stones. */
export function StonePage({ sku }: { sku: string }) {
  const reading = useRead(sku, async (signal) => {
    return { gem: (await findDiamond(sku, signal)) ?? (await findGemstone(sku, signal)) }
  })
  if (reading.problem) return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  if (!reading.value) return <Loading rows={4} height={120} />
  const { gem } = reading.value
  if (!gem) return <StoneUnavailable sku={sku} />
  return (
    <>
      <div class="page-head">
        <h1>{capitalize(gemName(gem))}</h1>
        <HoldTag gem={gem} />
        {gem.memo && !isCustomerView && <span class="tag">{t('Available on memo')}</span>}
        {gem.is_sustainable && <span class="tag is-good">{t('Marked sustainable')}</span>}
        <p class="page-lead mono">{gem.sku}</p>
      </div>
      <div class="stone-page">
        <StoneMedia gem={gem} />
        <div class="stack">
          <section class="panel" aria-label={t('Price')}>
            <PriceSteps gem={gem} />
            <div class="row">
              <BasketButton gem={gem} size="large" />
              <HoldButton gem={gem} onDone={reading.reload} />
              <CompareButton gem={gem} />
              <ShareButton skus={[gem.sku]} />
              <WatchButton sku={gem.sku} />
            </div>
          </section>
          {!isCustomerView && mayDo('inventory:read') && <PriceHistory gem={gem} />}
          <StoneFacts gem={gem} />
        </div>
      </div>
      {gem.product_type === 'diamond' && <Alternatives gem={gem} />}
    </>
  )
}

/** A stone that is not on the market any more may be the reader's own. */
function StoneUnavailable({ sku }: { sku: string }) {
  const reading = useRead(`orders ${sku}`, (signal) =>
    searchOrders({ query: sku, limit: 5, offset: 0 }, signal),
  )
  const own = reading.value?.orders.find(({ line_items }) =>
    line_items.some((line) => line.sku === sku),
  )
  if (own) {
    return (
      <>
        <h1>{t('Your stone')}</h1>
        <Empty title={t('{sku} is in your order {order}', { sku, order: own.order_id })}>
          <p>
            {t('Ordered on {date}, so it is no longer on the market.', {
              date: date(own.ordered_on),
            })}
          </p>
          <a class="button is-main" href={`/orders/${encodeURIComponent(own.order_id)}`}>
            {t('Open the order')}
          </a>
        </Empty>
      </>
    )
  }
  return (
    <>
      <h1>{t('Stone not available')}</h1>
      <Empty title={t('{sku} is no longer on the market', { sku })}>
        <p>{t('It may have been sold or withdrawn.')}</p>
        <a class="button is-main" href="/search">
          {t('Search for another stone')}
        </a>
      </Empty>
    </>
  )
}
