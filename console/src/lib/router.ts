import {
  entryState,
  forgetWaiting,
  watchEntries,
  writeEntry,
  writeEntryLater,
  writeState,
} from './entries.ts'
import { forgetPending, restorePlace, watchScrolling, writePlaces } from './places.ts'
import { createStore, useStore } from './store.ts'
import { forgetUnsaved, hasUnsaved, watchUnload } from './unsaved.ts'

/** The address in parts. Everything a page shows follows from it, so that it can be shared. */
interface PageLocation {
  path: string
  params: URLSearchParams
  hash: string
}

const location = createStore<PageLocation>(readLocation())

function readLocation(): PageLocation {
  return partsOf(window.location)
}

function partsOf({ pathname, search, hash }: URL | Location): PageLocation {
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

interface Going {
  /** The back button skips the current page. */
  replace?: boolean
  link?: Element
  /** Somebody waits for what is drawn: the address follows when it is. */
  drawFirst?: boolean
}

/** Goes to a path of the console. */
export function go(to: string, { replace = false, link, drawFirst = false }: Going = {}): void {
  if (!replace) writePlaces(link && leftBy(link))
  const { at } = entryState()
  const write = drawFirst ? writeEntryLater : writeEntry
  position = replace ? at : at + 1
  write({ state: { at: position, places: {} }, to, replace })
  const before = location.get()
  location.set(partsOf(new URL(to, window.location.href)))
  if (before.path === location.get().path) return
  window.scrollTo(0, 0)
  focusHeading()
}

function leftBy(link: Element) {
  return { href: link.getAttribute('href') ?? '', top: link.getBoundingClientRect().top }
}

const HEADING_MS = 5_000

/** A screen reader begins a new page with its heading, which may have to be loaded first. */
function focusHeading(): void {
  const { path } = location.get()
  const until = performance.now() + HEADING_MS
  const step = () => {
    if (location.get().path !== path || performance.now() > until) return
    const main = document.querySelector<HTMLElement>('main')
    const isDrawn = main?.dataset.address?.split('?')[0] === path
    const heading = isDrawn ? main.querySelector<HTMLElement>('h1') : null
    if (!heading) return void requestAnimationFrame(step)
    // Who has gone into a field or a dialog meanwhile stays there.
    const { activeElement } = document
    if (activeElement && main?.contains(activeElement)) return
    heading.setAttribute('tabindex', '-1')
    heading.focus({ preventScroll: true })
  }
  requestAnimationFrame(step)
}

/** The entry of the history that is shown. */
let position = 0
type AskToLeave = () => Promise<boolean>

/** Lets plain links to the console's own pages work without a reload. */
export function startRouter(askToLeave: AskToLeave): void {
  watchScrolling()
  watchUnload()
  watchEntries()
  position = entryState().at
  restorePlace()
  window.addEventListener('popstate', () => void stepInHistory(askToLeave))
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = (event.target as Element).closest?.('a')
    if (!link?.href || link.target || link.hasAttribute('download')) return
    const url = new URL(link.href)
    if (url.origin !== window.location.origin || !isPage(url.pathname)) return
    if (url.hash && url.pathname === window.location.pathname) return
    event.preventDefault()
    void leave(askToLeave, () => go(url.pathname + url.search, { link }))
  })
}

async function leave(askToLeave: AskToLeave, next: () => void): Promise<void> {
  if (hasUnsaved()) {
    if (!(await askToLeave())) return
    forgetUnsaved()
  }
  next()
}

/** The back and the forward button. */
async function stepInHistory(askToLeave: AskToLeave): Promise<void> {
  if (forgetWaiting()) return window.history.forward()
  const isOtherPage = window.location.pathname !== location.get().path
  if (window.history.state === null) return stepWithin(isOtherPage)
  const steps = entryState().at - position
  if (hasUnsaved() && !isOtherPage && steps === 0) return
  if (hasUnsaved() && isOtherPage && steps !== 0) {
    // The browser has gone already: it returns to the page, which asks.
    window.history.go(-steps)
    await leave(askToLeave, () => window.history.go(steps))
    return
  }
  forgetPending()
  position = entryState().at
  location.set(readLocation())
  restorePlace()
  if (isOtherPage && !entryState().link) focusHeading()
}

/** A link to a part of the page makes an entry that knows nothing of ours. */
function stepWithin(isOtherPage: boolean): void {
  forgetPending()
  position++
  writeState({ at: position, places: {} })
  location.set(readLocation())
  if (isOtherPage) focusHeading()
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
    if (part.startsWith(':')) {
      const value = decoded(given[index])
      if (value === undefined) return undefined
      values[part.slice(1)] = value
    } else if (part !== given[index]) return undefined
  }
  return values
}

/** A part of an address that somebody has cut short may end within a character. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
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
