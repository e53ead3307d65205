import { useRead } from '../api/hooks.ts'
import { searchOperatorOrders } from '../api/operator/orders.ts'
import { listStock, type StockGem } from '../api/stock.ts'
import { t } from '../language/language.ts'
import { carats, humanize, money, plural } from '../lib/format.ts'
import { useLocation } from '../lib/router.ts'
import { OrderTable } from '../orders/table.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'

const LIMIT = 25

/** What the operator's market has under a number: stones in every state, and orders. */
export function OperatorFoundPage() {
  const q = useLocation().params.get('q') ?? ''
  const reading = useRead(q, (signal) =>
    Promise.all([
      listStock({ q, limit: LIMIT, offset: 0 }, signal),
      searchOperatorOrders({ q, limit: LIMIT, offset: 0 }, signal),
    ]),
  )
  const [stones, orders] = reading.value ?? []
  const isEmpty = stones?.total === 0 && orders?.total === 0
  return (
    <>
      <div class="page-head">
        <h1>{t('Found: {text}', { text: q })}</h1>
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {isEmpty && (
        <Empty title={t('Nothing found')}>
          <p>
            {t('Stones are found by SKU, stock number and certificate.')}{' '}
            {t('Orders are found by anything in them.')}
          </p>
        </Empty>
      )}
      <div class="stack">
        {stones && stones.total > 0 && (
          <section class="stack">
            <h2>{plural(stones.total, 'stone')}</h2>
            <StockTable gems={stones.gems} />
          </section>
        )}
        {orders && orders.total > 0 && (
          <section class="stack">
            <h2>{plural(orders.total, 'order')}</h2>
            <OrderTable
              orders={orders.orders}
              href={(order) => `/operator/orders/${order.uuid}`}
              showMerchant
            />
          </section>
        )}
      </div>
    </>
  )
}

function StockTable({ gems }: { gems: StockGem[] }) {
  return (
    <ScrollArea label={t('Stones')}>
      <table>
        <thead>
          <tr>
            <th scope="col">SKU</th>
            <th scope="col">{t('Stone')}</th>
            <th scope="col">{t('Certificate')}</th>
            <th scope="col">{t('Supplier')}</th>
            <th scope="col">{t('Stock number')}</th>
            <th scope="col">{t('State')}</th>
            <th scope="col" class="number">
              {t('Wholesale')}
            </th>
          </tr>
        </thead>
        <tbody>
          {gems.map((gem) => (
            <tr key={gem.sku}>
              <td class="mono">
                <a href={`/operator/stock/${gem.sku}`}>{gem.sku}</a>
              </td>
              <td>{stoneText(gem)}</td>
              <td class="mono">{[gem.lab, gem.cert_num].filter(Boolean).join(' ') || '–'}</td>
              <td>{gem.supplier}</td>
              <td class="mono">{gem.vendor_sku}</td>
              <td>
                <span class={gem.state === 'available' ? 'tag is-good' : 'tag'}>
                  {humanize(gem.state)}
                </span>
              </td>
              <td class="number">{money(gem.wholesale_price, 'USD')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function stoneText(gem: StockGem): string {
  const parts = [gem.species && humanize(gem.species), humanize(gem.shape), gem.color, gem.clarity]
  return [carats(gem.weight), ...parts].filter(Boolean).join(' ')
}
