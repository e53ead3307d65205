import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { asProblem } from '../api/client.ts'
import { readSession } from '../api/session.ts'
import {
  followOtherTabs,
  HOMES,
  type Session,
  session,
  sessionToken,
} from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { isCustomerView, mayCustomerSee, switchCustomerView } from '../lib/customer-view.ts'
import { currentLocation, go, matchPath, useLocation } from '../lib/router.ts'
import { useStore } from '../lib/store.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { DiamondsPage } from '../search/diamonds-page.tsx'
import { Frame } from './frame.tsx'
import { lazyPage } from './lazy-page.tsx'
import { SignInPage } from './sign-in-page.tsx'

type Page = ComponentType<Record<string, string>>

/** Every page by its path. Only the search is part of the first load. */
const MERCHANT_PAGES: Record<string, Page> = {
  '/search': DiamondsPage,
  '/find': lazyPage(async () => (await import('../find/found-page.tsx')).FoundPage),
  '/stones/:sku': lazyPage(async () => (await import('../stones/detail-page.tsx')).StonePage),
  '/compare': lazyPage(async () => (await import('../stones/compare-page.tsx')).ComparePage),
  '/curated': lazyPage(async () => (await import('../search/curated-page.tsx')).CuratedPage),
  '/parcels': lazyPage(async () => (await import('../search/parcels-page.tsx')).ParcelsPage),
  '/gemstones': lazyPage(async () => (await import('../search/gemstones/page.tsx')).GemstonesPage),
  '/jewelry': lazyPage(async () => (await import('../jewelry/list-page.tsx')).JewelryPage),
  '/jewelry/:id': lazyPage(async () => (await import('../jewelry/detail-page.tsx')).ProductPage),
  '/basket': lazyPage(async () => (await import('../orders/basket/page.tsx')).BasketPage),
  '/orders': lazyPage(async () => (await import('../orders/list-page.tsx')).OrdersPage),
  '/orders/:order_id': lazyPage(async () => (await import('../orders/detail-page.tsx')).OrderPage),
  '/saved': lazyPage(async () => (await import('../search/saved/list-page.tsx')).SavedSearchesPage),
  '/saved/:uuid': lazyPage(
    async () => (await import('../search/saved/run-page.tsx')).SavedSearchPage,
  ),
  '/quotes': lazyPage(async () => (await import('../orders/quotes/list-page.tsx')).QuotesPage),
  '/quotes/:uuid': lazyPage(
    async () => (await import('../orders/quotes/detail-page.tsx')).QuotePage,
  ),
  '/returns': lazyPage(async () => (await import('../orders/returns/page.tsx')).ReturnsPage),
  '/memos': lazyPage(async () => (await import('../orders/account/memos-page.tsx')).MemosPage),
  '/account': lazyPage(
    async () => (await import('../orders/account/account-page.tsx')).AccountPage,
  ),
  '/holds': lazyPage(async () => (await import('../stones/holds-page.tsx')).HoldsPage),
  '/shares': lazyPage(async () => (await import('../shares/list-page.tsx')).SharesPage),
  '/watch': lazyPage(async () => (await import('../watched/list-page.tsx')).WatchPage),
  '/notices': lazyPage(async () => (await import('../notices/list-page.tsx')).NoticesPage),
  '/settings': lazyPage(async () => (await import('../settings/margins-page.tsx')).MarginsPage),
  '/settings/users': lazyPage(async () => (await import('../people/users-page.tsx')).UsersPage),
  '/settings/:part': lazyPage(async () => (await import('../settings/page.tsx')).SettingsPage),
}

const OPERATOR_PAGES: Record<string, Page> = {
  '/operator': lazyPage(async () => (await import('../operator/dashboard-page.tsx')).DashboardPage),
  '/operator/figures': lazyPage(
    async () => (await import('../operator/figures/page.tsx')).FiguresPage,
  ),
  '/operator/find': lazyPage(
    async () => (await import('../find/operator-found-page.tsx')).OperatorFoundPage,
  ),
  '/operator/suppliers': lazyPage(
    async () => (await import('../operator/suppliers/list-page.tsx')).SuppliersPage,
  ),
  '/operator/suppliers/:uuid': lazyPage(
    async () => (await import('../operator/suppliers/detail-page.tsx')).SupplierPage,
  ),
  '/operator/audit': lazyPage(async () => (await import('../operator/audit/page.tsx')).AuditPage),
  '/operator/seller': lazyPage(
    async () => (await import('../operator/seller/page.tsx')).SellerPage,
  ),
  '/operator/imports': lazyPage(async () => (await import('../imports/list-page.tsx')).ImportsPage),
  '/operator/imports/jewelry': lazyPage(
    async () => (await import('../imports/jewelry/list-page.tsx')).JewelryImportsPage,
  ),
  '/operator/imports/jewelry/:uuid': lazyPage(
    async () => (await import('../imports/jewelry/detail-page.tsx')).JewelryImportPage,
  ),
  '/operator/catalogues': lazyPage(
    async () => (await import('../operator/catalogues/list-page.tsx')).CataloguesPage,
  ),
  '/operator/catalogues/:uuid': lazyPage(
    async () => (await import('../operator/catalogues/detail-page.tsx')).CataloguePage,
  ),
  '/operator/imports/:uuid': lazyPage(
    async () => (await import('../imports/detail-page.tsx')).ImportPage,
  ),
  '/operator/stock': lazyPage(
    async () => (await import('../operator/stock/list-page.tsx')).StockPage,
  ),
  '/operator/stock/:sku': lazyPage(
    async () => (await import('../operator/stock/stone-page.tsx')).StockStonePage,
  ),
  '/operator/quarantine': lazyPage(
    async () => (await import('../operator/stock/quarantine-page.tsx')).QuarantinePage,
  ),
  '/operator/conflicts': lazyPage(
    async () => (await import('../operator/conflicts-page.tsx')).ConflictsPage,
  ),
  '/operator/merchants': lazyPage(
    async () => (await import('../operator/merchants/list-page.tsx')).MerchantsPage,
  ),
  '/operator/merchants/:uuid': lazyPage(
    async () => (await import('../operator/merchants/detail-page.tsx')).MerchantPage,
  ),
  '/operator/merchants/:uuid/:part': lazyPage(
    async () => (await import('../operator/merchants/part-page.tsx')).MerchantPartPage,
  ),
  '/operator/orders': lazyPage(
    async () => (await import('../operator/orders/list-page.tsx')).OperatorOrdersPage,
  ),
  '/operator/orders/:uuid': lazyPage(
    async () => (await import('../operator/orders/detail-page.tsx')).OperatorOrderPage,
  ),
  '/operator/quotes': lazyPage(
    async () => (await import('../operator/quotes/list-page.tsx')).OperatorQuotesPage,
  ),
  '/operator/quotes/:uuid': lazyPage(
    async () => (await import('../operator/quotes/detail-page.tsx')).OperatorQuotePage,
  ),
  '/operator/returns': lazyPage(
    async () => (await import('../operator/returns/list-page.tsx')).OperatorReturnsPage,
  ),
  '/operator/memos': lazyPage(
    async () => (await import('../operator/memos/page.tsx')).OperatorMemosPage,
  ),
  '/operator/notices': lazyPage(async () => (await import('../notices/list-page.tsx')).NoticesPage),
  '/operator/users': lazyPage(async () => (await import('../people/users-page.tsx')).UsersPage),
  '/operator/rates': lazyPage(async () => (await import('../operator/rates-page.tsx')).RatesPage),
}

const SUPPLIER_PAGES: Record<string, Page> = {
  '/supplier/orders': lazyPage(
    async () => (await import('../supplier/orders-page.tsx')).SupplierOrdersPage,
  ),
  '/supplier/orders/:uuid': lazyPage(
    async () => (await import('../supplier/order-page.tsx')).SupplierOrderPage,
  ),
  '/supplier/stock': lazyPage(
    async () => (await import('../supplier/stock-page.tsx')).SupplierStockPage,
  ),
  '/supplier/imports': lazyPage(async () => (await import('../imports/list-page.tsx')).ImportsPage),
  '/supplier/imports/:uuid': lazyPage(
    async () => (await import('../imports/detail-page.tsx')).ImportPage,
  ),
  '/supplier/scorecard': lazyPage(
    async () => (await import('../supplier/score-card-page.tsx')).ScoreCardPage,
  ),
  '/supplier/notices': lazyPage(async () => (await import('../notices/list-page.tsx')).NoticesPage),
  '/supplier/users': lazyPage(async () => (await import('../people/users-page.tsx')).UsersPage),
}

/** What each side sees, and where it begins. */
const SIDES: Record<Session['role'], { home: string; pages: Record<string, Page> }> = {
  merchant: { home: HOMES.merchant, pages: MERCHANT_PAGES },
  operator: { home: HOMES.operator, pages: OPERATOR_PAGES },
  supplier: { home: HOMES.supplier, pages: SUPPLIER_PAGES },
}

/** Other tabs respond within a few milliseconds, unless the machine is busy. */
const OTHER_TABS_MS = 150

export function App() {
  const { path, params } = useLocation()
  const signedIn = useStore(session)
  const [isReading, setReading] = useState(true)
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    const read = () =>
      void readSession()
        .catch(setFailure)
        .finally(() => setReading(false))
    // The code of a link opens a session of its own, beside those of other tabs.
    const hasCode = path === '/sign-in' && currentLocation().hash !== ''
    if (sessionToken() !== undefined) read()
    else if (hasCode) setReading(false)
    else setTimeout(() => sessionToken() === undefined && setReading(false), OTHER_TABS_MS)
    return hasCode ? undefined : followOtherTabs(read)
  }, [])
  if (isReading) {
    return (
      <main>
        <Loading />
      </main>
    )
  }
  if (!signedIn && failure && asProblem(failure).status !== 401) {
    return (
      <main>
        <h1>Pavilion</h1>
        <ProblemNote problem={asProblem(failure)} onRetry={() => window.location.reload()} />
      </main>
    )
  }
  const text = params.toString()
  const address = path + (text ? `?${text}` : '')
  if (!signedIn) {
    const returnTo = path === '/sign-in' || path === '/' ? undefined : address
    return (
      <main id="main">
        <SignInPage returnTo={returnTo} />
      </main>
    )
  }
  return (
    <Frame session={signedIn} address={address}>
      <CurrentPage session={signedIn} path={path} />
    </Frame>
  )
}

function CurrentPage({ session: { role }, path }: { session: Session; path: string }) {
  const { home, pages } = SIDES[role]
  const isHome = path === '/' || path === '/sign-in'
  useEffect(() => {
    if (isHome) go(home, { replace: true })
  }, [isHome, home])
  if (isHome) return null
  if (isCustomerView && role === 'merchant' && !mayCustomerSee(path)) return <TradePage />
  for (const [pattern, Page] of Object.entries(pages)) {
    const values = matchPath(pattern, path)
    if (values) return <Page key={path} {...values} />
  }
  return (
    <>
      <h1>{t('Page not found')}</h1>
      <Empty title={t('There is nothing at this address')}>
        <a class="button" href={home}>
          {t('Go to the start page')}
        </a>
      </Empty>
    </>
  )
}

/** In place of a page that shows what the merchant pays. */
function TradePage() {
  return (
    <>
      <h1>{t('Customer view')}</h1>
      <Empty title={t('This page is not for customers')}>
        <button type="button" class="button" onClick={switchCustomerView}>
          {t('Leave the customer view')}
        </button>
      </Empty>
    </>
  )
}
