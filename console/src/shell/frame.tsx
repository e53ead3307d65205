import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { connection } from '../api/client.ts'
import { type Session, signOut } from '../api/session.ts'
import { moment } from '../lib/format.ts'
import { usePlace } from '../lib/router.ts'
import { useStore } from '../lib/store.ts'
import { nextTheme, theme } from '../lib/theme.ts'
import { basket } from '../orders/basket-store.ts'
import { Toasts } from '../parts/toast.tsx'
import { compared } from '../stones/compare-store.ts'

const MERCHANT_ROOMS = [
  ['/search', 'Diamonds'],
  ['/curated', 'Curated'],
  ['/parcels', 'Parcels'],
  ['/gemstones', 'Gemstones'],
  ['/jewelry', 'Jewelry'],
  ['/orders', 'Orders'],
  ['/holds', 'Holds'],
  ['/settings', 'Settings'],
] as const

const OPERATOR_ROOMS = [
  ['/operator', 'Overview'],
  ['/operator/imports', 'Imports'],
  ['/operator/conflicts', 'Conflicts'],
  ['/operator/merchants', 'Merchants'],
  ['/operator/orders', 'Orders'],
  ['/operator/rates', 'Rates'],
] as const

/** The frame around every page. */
export function Shell({ session, children }: { session: Session; children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <ConnectionBanner />
      <Top session={session} />
      <main id="main">{children}</main>
      <footer class="foot">
        <div class="foot-inner">
          <span>{session.merchant?.legal_dba ?? 'Operator'}</span>
          {session.expires_on && <span>Session until {moment(session.expires_on)}</span>}
          <a href="/docs">Interface reference</a>
        </div>
      </footer>
      <Toasts />
    </>
  )
}

function Top({ session }: { session: Session }) {
  const { path } = usePlace()
  const [isOpen, setOpen] = useState(false)
  // A new page closes the menu.
  useEffect(() => setOpen(false), [path])
  const rooms = session.role === 'operator' ? OPERATOR_ROOMS : MERCHANT_ROOMS
  return (
    <header class="top">
      <div class="top-inner">
        <a class="brand" href={rooms[0][0]}>
          <img src="/favicon.svg" alt="" /> Pavilion
        </a>
        {session.market === 'sandbox' && <span class="market-badge">Sandbox</span>}
        <nav class={isOpen ? 'rooms is-open' : 'rooms'} aria-label="Pages" id="rooms">
          {rooms.map(([href, label]) => (
            <a key={href} href={href} aria-current={isIn(path, href) ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <div class="top-tools">
          {session.role === 'merchant' && <Chosen />}
          <ThemeButton />
          <button type="button" class="button is-quiet is-small" onClick={() => void signOut()}>
            Sign out
          </button>
          <button
            type="button"
            class="button is-small menu-toggle"
            aria-expanded={isOpen}
            aria-controls="rooms"
            onClick={() => setOpen(!isOpen)}
          >
            Menu
          </button>
        </div>
      </div>
    </header>
  )
}

function isIn(path: string, room: string): boolean {
  if (room === '/operator') return path === room
  if (room === '/search') return path === room || path.startsWith('/stones/')
  return path === room || path.startsWith(`${room}/`)
}

function Chosen() {
  const lines = useStore(basket)
  const stones = useStore(compared)
  return (
    <>
      {stones.length > 0 && (
        <a class="basket-link" href={`/compare?sku=${stones.join(',')}`}>
          Compare <span class="badge">{stones.length}</span>
        </a>
      )}
      <a class="basket-link" href="/basket">
        Basket <span class="badge">{lines.length}</span>
      </a>
    </>
  )
}

const THEME_WORDS = { auto: 'Colours: system', light: 'Colours: light', dark: 'Colours: dark' }
const THEME_SIGNS = { auto: '◐', light: '☀', dark: '☾' }

function ThemeButton() {
  const chosen = useStore(theme)
  return (
    <button
      type="button"
      class="button is-quiet is-small"
      title={THEME_WORDS[chosen]}
      aria-label={`${THEME_WORDS[chosen]}. Change`}
      onClick={nextTheme}
    >
      <span aria-hidden="true">{THEME_SIGNS[chosen]}</span>
    </button>
  )
}

function ConnectionBanner() {
  const state = useStore(connection)
  return (
    <div role="status">
      {state === 'lost' && (
        <p class="connection">The connection is lost. What you see may be old; trying again …</p>
      )}
      {state === 'busy' && <p class="connection">The server is starting up; one moment …</p>}
    </div>
  )
}
