/** What the console keeps with an entry of the browser's history. */
export interface EntryState {
  /** The position of the entry in the history of this tab. */
  at: number
  /** Where somebody was on the page; places.ts keeps them. */
  places: Record<string, number>
  /** The link by which the page was left, and its distance from the top of the window. */
  link?: { href: string; top: number }
}

interface Entry {
  state: EntryState
  to: string
  /** In the place of the entry that is shown, so that the back button skips that one. */
  replace: boolean
}

/** An entry takes the browser as long as a list of stones; this is time enough for the list. */
const DRAWING_MS = 100
let waiting: Entry | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** The state of the entry that is shown, also of one that waits to be written. */
export function entryState(): EntryState {
  const state = waiting?.state ?? (window.history.state as EntryState | null)
  return state && typeof state.at === 'number' ? state : { at: 0, places: {} }
}

export function writeEntry({ state, to, replace }: Entry): void {
  writeWaiting()
  if (replace) window.history.replaceState(state, '', to)
  else window.history.pushState(state, '', to)
}

/** Writes the entry when the page that it stands for is drawn. */
export function writeEntryLater(entry: Entry): void {
  if (!entry.replace) writeWaiting()
  // One that replaces an entry which was not written yet is written in its turn.
  const replace = waiting?.replace ?? entry.replace
  clearTimeout(timer)
  waiting = { ...entry, replace }
  timer = setTimeout(writeWaiting, DRAWING_MS)
}

/** Changes what is kept with the entry that is shown. */
export function writeState(state: EntryState): void {
  writeWaiting()
  window.history.replaceState(state, '')
}

/** Before anything else is done with the history. */
function writeWaiting(): void {
  const entry = waiting
  forgetWaiting()
  if (entry) writeEntry(entry)
}

/** The browser has gone elsewhere meanwhile. True if it has left an entry that was never there. */
export function forgetWaiting(): boolean {
  const wasNew = waiting?.replace === false
  clearTimeout(timer)
  waiting = undefined
  return wasNew
}

/** The next key may be one that reloads the page or goes back. */
export function watchEntries(): void {
  window.addEventListener('keydown', writeWaiting, { capture: true })
  if (window.history.state === null) writeState(entryState())
}
