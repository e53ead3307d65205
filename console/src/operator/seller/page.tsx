import { useRead } from '../../api/hooks.ts'
import { readMarketSettings } from '../../api/operator/seller.ts'
import { t } from '../../language/language.ts'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { ChargeRules } from './charge-rules.tsx'
import { PriceGrids } from './price-grids.tsx'
import { SellerForm } from './seller-form.tsx'

/** What the operator sets for the whole market: who sells, charges, and list prices. */
export function SellerPage() {
  const reading = useRead('settings', (signal) => readMarketSettings(signal))
  return (
    <>
      <div class="page-head">
        <h1>{t('Seller')}</h1>
        <p class="page-lead">
          {t('What documents show, what orders are charged, and list prices of stones.')}
        </p>
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading rows={4} height={60} />}
      {reading.value && (
        <SellerForm
          key={JSON.stringify(reading.value)}
          settings={reading.value}
          onSaved={reading.reload}
        />
      )}
      <ChargeRules />
      <PriceGrids />
    </>
  )
}
