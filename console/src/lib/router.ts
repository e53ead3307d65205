import { createStore, useStore } from './store.ts'

/** The address in parts. Everything a page shows follows from it, so that it can be shared. */
interface PageLocation {
  path: string
  params: URLSearchParams
  hash: string
}

const location = createStore<PageLocation>(readLocation())

function readLocation(): PageLocation {
  const { pathname, search, hash } = window.location
  return { path: pathname, params: new URLSearchParams(search), hash: hash.slice(1) }
}

export function useLocation(): PageLocation {
  return useStore(location)
}

export function currentLocation(): PageLocation {
  return location.get()
}

/** Where the current page of a list begins: `?offset=50`. */
export function useOffset(): number {
  return Number(useLocation().params.get('offset') ?? 0) || 0
}

/** Goes to a path of the console. With `replace` the back button skips the current one. */
export function go(to: string, { replace = false } = {}): void {
  if (replace) window.history.replaceState(null, '', to)
  else window.history.pushState(null, '', to)
  const before = location.get()
  location.set(readLocation())
  if (before.path !== location.get().path) showFromTop()
}

/** A new page starts at its top, and a screen reader begins with its heading. */
function showFromTop(): void {
  window.scrollTo(0, 0)
  requestAnimationFrame(() => {
    const heading = document.querySelector<HTMLElement>('main h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  })
}

/** Lets plain links to the console's own pages work without a reload. */
export function startRouter(): void {
  window.addEventListener('popstate', () => location.set(readLocation()))
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = (event.target as Element).closest?.('a')
    if (!link?.href || link.target || link.hasAttribute('download')) return
    const url = new URL(link.href)
    if (url.origin !== window.location.origin || !isPage(url.pathname)) return
    if (url.hash && url.pathname === window.location.pathname) return
    event.preventDefault()
    go(url.pathname + url.search)
  })
}

function isPage(path: string): boolean {
  return !/^\/(api|docs|openapi|media|shapes|assets)(\/|$)/.test(path)
}

/** The values of `:names` in a pattern such as `/stones/:sku`, or undefined. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const expected = pattern.split('/')
  const given = path.split('/')
  if (expected.length !== given.length) return undefined
  const values: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    if (part.startsWith(':')) values[part.slice(1)] = decodeURIComponent(given[index])
    else if (part !== given[index]) return undefined
  }
  return values
}

/** The current address with some parameters changed; undefined or '' removes one. */
export function withParams(changes: Record<string, string | undefined>): string {
  const { path, params } = location.get()
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  return text ? `${path}?${text}` : path
}
