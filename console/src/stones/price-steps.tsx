import type { Gem } from '../api/gems.ts'
import { t } from '../language/language.ts'
import { isCustomerView } from '../lib/customer-view.ts'
import { decimal, money, percent } from '../lib/format.ts'

/** The price in steps: wholesale, the merchant's margin, retail, and the exchange rate. */
export function PriceSteps({ gem }: { gem: Gem }) {
  const markup = (gem.base_retail_price / gem.base_wholesale_price - 1) * 100
  if (isCustomerView) return <CustomerPrice gem={gem} />
  const isForeign = gem.currency_code !== gem.base_currency_code
  return (
    <div class="price-steps">
      <div>
        <span>{t('Wholesale')}</span>
        <span>{money(gem.base_wholesale_price, gem.base_currency_code)}</span>
      </div>
      <div>
        <span>{t('Your margin')}</span>
        <span>+ {percent(markup, 1)}</span>
      </div>
      <div>
        <span>{t('Retail')}</span>
        <span>{money(gem.base_retail_price, gem.base_currency_code)}</span>
      </div>
      {isForeign && (
        <div>
          <span>{t('Exchange rate')}</span>
          <span>
            1 {gem.base_currency_code} = {decimal(gem.exchange_rate, 4)} {gem.currency_code}
          </span>
        </div>
      )}
      {isForeign && (
        <div>
          <span>{t('You pay')}</span>
          <span>{money(gem.wholesale_price, gem.currency_code)}</span>
        </div>
      )}
      <div>
        <span>{t('Wholesale per carat')}</span>
        <span>{money(gem.wholesale_price / gem.weight, gem.currency_code)}</span>
      </div>
      {gem.off_rap_percentage !== null && (
        <div>
          <span>{t('Compared with list price')}</span>
          <span>{percent(gem.off_rap_percentage)}</span>
        </div>
      )}
      <div class="is-total">
        <span>{t('Your customer pays')}</span>
        <span>{money(gem.retail_price, gem.currency_code)}</span>
      </div>
    </div>
  )
}

function CustomerPrice({ gem }: { gem: Gem }) {
  return (
    <div class="price-steps">
      <div class="is-total">
        <span>{t('Price')}</span>
        <span>{money(gem.retail_price, gem.currency_code)}</span>
      </div>
    </div>
  )
}
