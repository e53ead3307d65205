import { useRef, useState } from 'preact/hooks'
import { connection } from '../api/client.ts'
import { type DiamondSearchResult, type Gem, searchDiamonds } from '../api/gems.ts'
import { useStore } from '../lib/store.ts'
import { filtersOf, type SearchQuery } from './query.ts'

/** Two screens of cards, or one and a half of the table. Drawing more would take longer. */
export const PAGE_SIZE = 30
/** With more requests at once, those for rows that were scrolled past would delay the others. */
const REQUESTS_MAX = 3
/** So many pages stay loaded; in a list of 100,000 stones all would be a hundred megabytes. */
const PAGES_MAX = 200

/** The stones by their position in the whole list, as far as their pages are loaded. */
export interface Pages {
  gemAt(index: number): Gem | undefined
  /** Loads the rows from the first up to the last; what was asked for before is given up. */
  load(first: number, last: number): void
}

/** The pages of one search. */
interface Loader {
  key: string
  /** The first page, once it is there; when it is read again, so are the others. */
  first: DiamondSearchResult | undefined
  rows: Map<number, Gem[]>
  wanted: number[]
  requests: Set<number>
  isOver: AbortController
}

function createLoader(key: string): Loader {
  const isOver = new AbortController()
  return { key, first: undefined, rows: new Map(), wanted: [], requests: new Set(), isOver }
}

/** Keeps the loaded pages of a search, so that scrolling back needs no request. */
export function usePages(query: SearchQuery, first: DiamondSearchResult | undefined): Pages {
  const key = JSON.stringify([filtersOf(query), query.sort, query.order])
  const latest = useRef(createLoader(key))
  const [, redraw] = useState(0)
  // Drawn again when the server is back, the list asks again for rows that it did not get.
  useStore(connection)
  const shown = latest.current.first
  if (latest.current.key !== key || (first && shown && shown !== first)) {
    latest.current.isOver.abort()
    latest.current = createLoader(key)
  }
  const loader = latest.current
  if (first) {
    loader.first = first
    loader.rows.set(0, first.gems)
  }
  const request = (page: number) => {
    loader.requests.add(page)
    const search = {
      filters: filtersOf(query),
      limit: PAGE_SIZE,
      offset: page * PAGE_SIZE,
      sort_col: query.sort,
      sort_order: query.order,
    }
    searchDiamonds(search, loader.isOver.signal).then(
      ({ gems }) => {
        loader.rows.set(page, gems)
        forgetFarthest(loader)
        finish(page)
        if (latest.current === loader) redraw((before) => before + 1)
      },
      // The next scrolling asks for it again.
      () => finish(page),
    )
  }
  const finish = (page: number) => {
    loader.requests.delete(page)
    loader.wanted = loader.wanted.filter((each) => each !== page)
    requestNext()
  }
  const requestNext = () => {
    if (loader.isOver.signal.aborted) return
    // The first page is requested already: it comes with the number of stones.
    const missing = loader.wanted.filter(
      (page) => page > 0 && !loader.rows.has(page) && !loader.requests.has(page),
    )
    for (const page of missing.slice(0, REQUESTS_MAX - loader.requests.size)) request(page)
  }
  return {
    gemAt: (index) => loader.rows.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE],
    load: (from, to) => {
      const [start, end] = [Math.floor(from / PAGE_SIZE), Math.ceil(to / PAGE_SIZE)]
      loader.wanted = Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at)
      requestNext()
    },
  }
}

/** Forgets a page that is not in sight: the one farthest from what is. */
function forgetFarthest({ rows, wanted }: Loader): void {
  if (rows.size <= Math.max(PAGES_MAX, wanted.length + 1)) return
  const at = wanted[0] ?? 0
  const pages = [...rows.keys()].filter((page) => page !== 0 && !wanted.includes(page))
  const farthest = pages.reduce((far, page) =>
    Math.abs(page - at) > Math.abs(far - at) ? page : far,
  )
  rows.delete(farthest)
}
