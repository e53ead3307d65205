import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { readSession, type Session } from './api/session.ts'
import { session, sessionToken } from './api/session-store.ts'
import { asProblem } from './lib/read.ts'
import { go, matchPath, usePlace } from './lib/router.ts'
import { useStore } from './lib/store.ts'
import { SearchPage } from './merchant/search-page.tsx'
import { SignInPage } from './merchant/sign-in-page.tsx'
import { lazyPage } from './parts/lazy-page.tsx'
import { Empty, Loading, ProblemNote } from './parts/notes.tsx'
import { Shell } from './shell.tsx'

type Page = ComponentType<Record<string, string>>

/** Every page of the console by its path. Only search is in the first load. */
const MERCHANT_PAGES: Record<string, Page> = {
  '/search': SearchPage,
  '/stones/:sku': lazyPage(async () => (await import('./merchant/stone-page.tsx')).StonePage),
  '/compare': lazyPage(async () => (await import('./merchant/compare-page.tsx')).ComparePage),
  '/curated': lazyPage(async () => (await import('./merchant/curated-page.tsx')).CuratedPage),
  '/parcels': lazyPage(async () => (await import('./merchant/parcels-page.tsx')).ParcelsPage),
  '/gemstones': lazyPage(async () => (await import('./merchant/gemstones-page.tsx')).GemstonesPage),
  '/jewelry': lazyPage(async () => (await import('./merchant/jewelry-page.tsx')).JewelryPage),
  '/jewelry/:id': lazyPage(async () => (await import('./merchant/product-page.tsx')).ProductPage),
  '/basket': lazyPage(async () => (await import('./merchant/basket-page.tsx')).BasketPage),
  '/orders': lazyPage(async () => (await import('./merchant/orders-page.tsx')).OrdersPage),
  '/orders/:uuid': lazyPage(async () => (await import('./merchant/order-page.tsx')).OrderPage),
  '/holds': lazyPage(async () => (await import('./merchant/holds-page.tsx')).HoldsPage),
  '/settings': lazyPage(async () => (await import('./settings/margins-page.tsx')).MarginsPage),
  '/settings/:part': lazyPage(
    async () => (await import('./settings/settings-page.tsx')).SettingsPage,
  ),
}

const OPERATOR_PAGES: Record<string, Page> = {
  '/operator': lazyPage(async () => (await import('./operator/dashboard-page.tsx')).DashboardPage),
  '/operator/imports': lazyPage(
    async () => (await import('./operator/imports-page.tsx')).ImportsPage,
  ),
  '/operator/imports/:uuid': lazyPage(
    async () => (await import('./operator/import-page.tsx')).ImportPage,
  ),
  '/operator/conflicts': lazyPage(
    async () => (await import('./operator/conflicts-page.tsx')).ConflictsPage,
  ),
  '/operator/merchants': lazyPage(
    async () => (await import('./operator/merchants-page.tsx')).MerchantsPage,
  ),
  '/operator/merchants/:uuid': lazyPage(
    async () => (await import('./operator/merchant-page.tsx')).MerchantPage,
  ),
  '/operator/orders': lazyPage(
    async () => (await import('./operator/orders-page.tsx')).OperatorOrdersPage,
  ),
  '/operator/orders/:uuid': lazyPage(
    async () => (await import('./operator/order-page.tsx')).OperatorOrderPage,
  ),
  '/operator/rates': lazyPage(async () => (await import('./operator/rates-page.tsx')).RatesPage),
}

export function App() {
  const { path, query } = usePlace()
  const signedIn = useStore(session)
  const [isReading, setReading] = useState(sessionToken() !== undefined)
  const [failure, setFailure] = useState<unknown>()
  useEffect(() => {
    if (sessionToken() === undefined) return
    readSession().then(
      () => setReading(false),
      (error: unknown) => {
        setFailure(error)
        setReading(false)
      },
    )
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
  if (!signedIn) {
    const text = query.toString()
    const onward = path === '/sign-in' || path === '/' ? undefined : path + (text ? `?${text}` : '')
    return (
      <main id="main">
        <SignInPage onward={onward} />
      </main>
    )
  }
  return (
    <Shell session={signedIn}>
      <Room session={signedIn} path={path} />
    </Shell>
  )
}

function Room({ session: { role }, path }: { session: Session; path: string }) {
  const home = role === 'operator' ? '/operator' : '/search'
  const isHome = path === '/' || path === '/sign-in'
  useEffect(() => {
    if (isHome) go(home, { replace: true })
  }, [isHome, home])
  if (isHome) return null
  const pages = role === 'operator' ? OPERATOR_PAGES : MERCHANT_PAGES
  for (const [pattern, Page] of Object.entries(pages)) {
    const values = matchPath(pattern, path)
    if (values) return <Page key={path} {...values} />
  }
  return (
    <>
      <h1>Nothing here</h1>
      <Empty title="This page does not exist">
        <a class="button" href={home}>
          Back to the start
        </a>
      </Empty>
    </>
  )
}
