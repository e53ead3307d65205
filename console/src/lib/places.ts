import { type EntryState, entryState, writeState } from './entries.ts'

/*
 * Where somebody was on a page, kept in the browser's own history: going back shows a list at the
 * same row, and a reload does too.
 */

const WRITE_MS = 100
let pending: Record<string, number> = {}
let timer: ReturnType<typeof setTimeout> | undefined

/** A number that was remembered for this entry of the history. */
export function placeOf(name: string): number | undefined {
  return pending[name] ?? entryState().places[name]
}

export function rememberPlace(name: string, value: number): void {
  pending[name] = value
  clearTimeout(timer)
  timer = setTimeout(() => writePlaces(), WRITE_MS)
}

/** Browsers allow few writes a second, so they are collected; leaving a page writes at once. */
export function writePlaces(link?: EntryState['link']): void {
  clearTimeout(timer)
  if (!link && Object.keys(pending).length === 0) return
  const state = entryState()
  const next = { ...state, places: { ...state.places, ...pending }, ...(link && { link }) }
  pending = {}
  writeState(next)
}

/** What was remembered belongs to the entry that was left. */
export function forgetPending(): void {
  clearTimeout(timer)
  pending = {}
}

export function watchScrolling(): void {
  window.history.scrollRestoration = 'manual'
  const remember = () => rememberPlace('y', window.scrollY)
  window.addEventListener('scroll', remember, { passive: true })
}

const RESTORE_MS = 4_000
/** Pictures and rows that are laid out late move the link a few times; then it stays. */
const STEADY_FRAMES = 30

/** Scrolls to where this entry was left, as soon as that part of the page is there. */
export function restorePlace(): void {
  const { link, places } = entryState()
  const until = performance.now() + RESTORE_MS
  const stop = new AbortController()
  let steady = 0
  for (const name of ['wheel', 'pointerdown', 'keydown', 'touchstart']) {
    window.addEventListener(name, () => stop.abort(), { once: true, signal: stop.signal })
  }
  const step = () => {
    if (stop.signal.aborted || performance.now() > until) return stop.abort()
    const target = link && linkTo(link.href)
    if (link && target) {
      const moved = target.getBoundingClientRect().top - link.top
      window.scrollBy(0, moved)
      if (document.activeElement !== target) target.focus({ preventScroll: true })
      steady = Math.abs(moved) < 1 ? steady + 1 : 0
    } else if (!link && reaches(places.y ?? 0)) {
      window.scrollTo(0, places.y ?? 0)
      steady++
    }
    if (steady < STEADY_FRAMES) requestAnimationFrame(step)
    else stop.abort()
  }
  requestAnimationFrame(step)
}

function linkTo(href: string): HTMLElement | undefined {
  const links = document.querySelectorAll<HTMLAnchorElement>('main a')
  return [...links].find((each) => each.getAttribute('href') === href)
}

function reaches(y: number): boolean {
  return document.documentElement.scrollHeight - window.innerHeight >= y
}
