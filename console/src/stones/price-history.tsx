import { type Gem, readPrices } from '../api/gems.ts'
import { useRead } from '../api/hooks.ts'
import { t } from '../language/language.ts'
import { date, money, percent } from '../lib/format.ts'

const SHOWN_MAX = 10

/** What the stone cost before, and how the price changed each time. */
export function PriceHistory({ gem }: { gem: Gem }) {
  const reading = useRead(gem.sku, (signal) => readPrices(gem.sku, signal))
  // Without it the page has everything that is needed to buy, so a failure is not shown.
  const prices = reading.value ?? []
  if (prices.length < 2) return null
  const earlier = prices.slice(1, SHOWN_MAX + 1).map(({ wholesale_price }, at) => {
    const { changed_on, wholesale_price: next } = prices[at]
    return { price: wholesale_price, until: changed_on, change: (next / wholesale_price - 1) * 100 }
  })
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{t('Earlier prices')}</h2>
      </div>
      <ul class="price-steps">
        {earlier.map(({ price, until, change }) => (
          <li key={until}>
            <span>
              {t('{price} until {date}', {
                price: money(price, gem.currency_code),
                date: date(until),
              })}
            </span>
            <span class="muted">{changeText(change)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function changeText(change: number): string {
  return change < 0
    ? t('then {percent} less', { percent: percent(-change) })
    : t('then {percent} more', { percent: percent(change) })
}
