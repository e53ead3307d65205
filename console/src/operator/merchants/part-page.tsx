import { useRead } from '../../api/hooks.ts'
import { readMerchant } from '../../api/operator/merchants.ts'
import { t } from '../../language/language.ts'
import { Empty, Loading, PageProblem } from '../../parts/feedback.tsx'
import { MerchantAddresses } from './addresses.tsx'
import { PlaceOrder } from './order/page.tsx'
import { MerchantTerms } from './terms.tsx'
import { MerchantUsers } from './users.tsx'

/** A page of one merchant beside its account. */
export function MerchantPartPage({ uuid, part }: { uuid: string; part: string }) {
  const reading = useRead(uuid, (signal) => readMerchant(uuid, signal))
  const merchant = reading.value
  if (!merchant) {
    if (!reading.problem) return <Loading rows={4} height={90} />
    return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  }
  switch (part) {
    case 'terms':
      return <MerchantTerms merchant={merchant} onSaved={reading.reload} />
    case 'addresses':
      return <MerchantAddresses merchant={merchant} />
    case 'users':
      return <MerchantUsers merchant={merchant} />
    case 'order':
      return <PlaceOrder merchant={merchant} />
    default:
      return (
        <>
          <h1>{t('Page not found')}</h1>
          <Empty title={t('There is nothing at this address')} />
        </>
      )
  }
}
