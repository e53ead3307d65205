import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { connection } from '../api/client.ts'
import { signOut } from '../api/session.ts'
import { brandName, mayDo, type Session } from '../api/session-store.ts'
import { Palette } from '../find/palette.tsx'
import { SearchBox } from '../find/search-box.tsx'
import { t } from '../language/language.ts'
import { LanguageSelect } from '../language/language-select.tsx'
import { isCustomerView, mayCustomerSee, switchCustomerView } from '../lib/customer-view.ts'
import { dateTime } from '../lib/format.ts'
import { useLocation } from '../lib/router.ts'
import { useStore } from '../lib/store.ts'
import { nextTheme, theme } from '../lib/theme.ts'
import { basket } from '../orders/basket-store.ts'
import { Confirmation } from '../parts/confirm.tsx'
import { Toasts } from '../parts/toast.tsx'
import { compared } from '../stones/compare-store.ts'
import { MENUS } from './links.ts'

const NAMES = {
  merchant: t('Merchant'),
  operator: t('Operator'),
  supplier: t('Supplier'),
}

/** The frame around every page: navigation above, session below. */
export function Frame(props: { session: Session; address: string; children: ComponentChildren }) {
  const { session, address, children } = props
  return (
    <>
      <a class="skip" href={address.startsWith('/search') ? '#results' : '#main'}>
        {address.startsWith('/search') ? t('Skip to the results') : t('Skip to content')}
      </a>
      <ConnectionBanner />
      <TopBar session={session} />
      {/* The tests of the console wait until a page that they opened is drawn. */}
      <main id="main" tabIndex={-1} data-address={address}>
        {isCustomerView && <p class="print-brand">{brandName()}</p>}
        {children}
      </main>
      <footer class="foot">
        <div class="foot-inner">
          <span>{session.user?.name ?? session.merchant?.legal_dba ?? NAMES[session.role]}</span>
          {session.expires_on && (
            <span>{t('Session ends {when}', { when: dateTime(session.expires_on) })}</span>
          )}
          <a href="/docs">{t('API reference')}</a>
          <LanguageSelect />
        </div>
      </footer>
      <Toasts />
      <Confirmation />
      {!isCustomerView && <Palette session={session} />}
    </>
  )
}

function TopBar({ session }: { session: Session }) {
  const { path } = useLocation()
  const [isOpen, setOpen] = useState(false)
  // Opening a page closes the menu.
  useEffect(() => setOpen(false), [path])
  const links = isCustomerView
    ? MENUS[session.role].filter(([href]) => mayCustomerSee(href))
    : MENUS[session.role]
  return (
    <header class="top">
      <div class="top-inner">
        <a class="brand" href={links[0][0]}>
          <img src="/favicon.svg" alt="" /> <span class="brand-name">{brandName()}</span>
        </a>
        {session.market === 'sandbox' && <span class="market-badge">{t('Sandbox')}</span>}
        <nav class={isOpen ? 'nav is-open' : 'nav'} aria-label={t('Pages')} id="pages-menu">
          {links.map(([href, label]) => (
            <a key={href} href={href} aria-current={isCurrent(path, href) ? 'page' : undefined}>
              {label}
            </a>
          ))}
          <span class="nav-tools">
            {session.role === 'merchant' && <CustomerViewButton />}
            {!isCustomerView && (
              <button type="button" class="button is-quiet is-small" onClick={() => void signOut()}>
                {t('Sign out')}
              </button>
            )}
          </span>
        </nav>
        {!isCustomerView && <SearchBox role={session.role} />}
        <div class="top-tools">
          {session.role === 'merchant' && <BasketLinks />}
          <ThemeButton />
          <button
            type="button"
            class="button is-small menu-toggle"
            aria-expanded={isOpen}
            aria-controls="pages-menu"
            onClick={() => setOpen(!isOpen)}
          >
            {t('Menu')}
          </button>
        </div>
      </div>
    </header>
  )
}

function isCurrent(path: string, link: string): boolean {
  if (link === '/operator') return path === link
  if (link === '/search') return path === link || path.startsWith('/stones/')
  if (link === '/orders' && /^\/(quotes|returns|memos|account)\b/.test(path)) return true
  return path === link || path.startsWith(`${link}/`)
}

function BasketLinks() {
  const lines = useStore(basket)
  const stones = useStore(compared)
  return (
    <>
      {stones.length > 0 && (
        <a class="basket-link" href={`/compare?sku=${stones.join(',')}`}>
          {t('Compare')} <span class="badge">{stones.length}</span>
        </a>
      )}
      {!isCustomerView && mayDo('orders:write') && (
        <a class="basket-link" href="/basket">
          {t('Basket')} <span class="badge">{lines.length}</span>
        </a>
      )}
    </>
  )
}

function CustomerViewButton() {
  return (
    <button
      type="button"
      class="button is-quiet is-small"
      aria-pressed={isCustomerView}
      title={t('Hides what you pay from everybody who looks at your screen')}
      onClick={switchCustomerView}
    >
      {t('Customer view')}
    </button>
  )
}

const THEME_LABELS = {
  auto: t('Theme: system'),
  light: t('Theme: light'),
  dark: t('Theme: dark'),
}
const THEME_ICONS = { auto: '◐', light: '☀', dark: '☾' }

function ThemeButton() {
  const chosen = useStore(theme)
  return (
    <button
      type="button"
      class="button is-quiet is-small"
      title={THEME_LABELS[chosen]}
      aria-label={t('{theme}. Change', { theme: THEME_LABELS[chosen] })}
      onClick={nextTheme}
    >
      <span aria-hidden="true">{THEME_ICONS[chosen]}</span>
    </button>
  )
}

function ConnectionBanner() {
  const state = useStore(connection)
  return (
    <div role="status">
      {state === 'lost' && (
        <p class="connection">
          {t('Connection lost. This page may be out of date. Reconnecting …')}
        </p>
      )}
      {state === 'busy' && (
        <p class="connection">{t('The server is starting or busy. Trying again …')}</p>
      )}
    </div>
  )
}
