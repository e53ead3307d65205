import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { type ApiProblem, asProblem } from '../api/client.ts'
import { type DiamondSearchResult, type Facets, searchDiamonds } from '../api/gems.ts'
import { PAGE_SIZE } from './pages.ts'
import { type ChoiceName, filtersOf, type SearchQuery } from './query.ts'

/** How long the counts wait, so that they do not delay the list. */
const COUNTS_DELAY_MS = 60

interface FirstPage {
  first: DiamondSearchResult | undefined
  problem: ApiProblem | undefined
  loading: boolean
  reload: () => void
}

/** A search that was requested before the page is drawn for it. */
interface EarlySearch {
  key: string
  controller: AbortController
  found: Promise<DiamondSearchResult>
}
let early: EarlySearch | undefined
/** What the page shows or waits for; another view of it needs no request. */
let shown = ''

const keyOf = (query: SearchQuery) => JSON.stringify([filtersOf(query), query.sort, query.order])

/** Requests the first page at once, so that the server works while the filters are drawn. */
export function searchEarly(query: SearchQuery): void {
  early?.controller.abort()
  early = undefined
  const key = keyOf(query)
  if (key === shown) return
  const controller = new AbortController()
  const found = requestFirst(query, controller.signal)
  // The page that takes it reports a failure.
  found.catch(() => {})
  early = { key, controller, found }
}

function startSearch(query: SearchQuery): Omit<EarlySearch, 'key'> {
  const started = early
  early = undefined
  shown = keyOf(query)
  if (started?.key === shown) return started
  started?.controller.abort()
  const controller = new AbortController()
  return { controller, found: requestFirst(query, controller.signal) }
}

function requestFirst(query: SearchQuery, signal: AbortSignal): Promise<DiamondSearchResult> {
  const search = {
    filters: filtersOf(query),
    limit: PAGE_SIZE,
    offset: 0,
    sort_col: query.sort,
    sort_order: query.order,
    include: ['facets' as const, 'relaxations' as const],
  }
  return searchDiamonds(search, signal)
}

/** The first page with its facets. The last response stays until the next one arrives. */
export function useFirstPage(query: SearchQuery): FirstPage {
  const key = keyOf(query)
  const [round, setRound] = useState(0)
  const [state, setState] = useState<Omit<FirstPage, 'reload'>>({
    first: undefined,
    problem: undefined,
    loading: true,
  })
  // The key stands for the query. A layout effect runs before the next frame: somebody waits.
  useLayoutEffect(() => {
    const { controller, found } = startSearch(query)
    setState((before) => ({ ...before, loading: true }))
    found.then(
      (first) => {
        if (!controller.signal.aborted) setState({ first, problem: undefined, loading: false })
      },
      (error: unknown) => {
        if (controller.signal.aborted) return
        setState((before) => ({ ...before, problem: asProblem(error), loading: false }))
      },
    )
    return () => controller.abort()
  }, [key, round])
  return { ...state, reload: () => setRound((before) => before + 1) }
}

/** The value one frame later: what somebody waits for is drawn before it. */
export function useLater<T>(value: T): T {
  const [shown, setShown] = useState(value)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setShown(value))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [value])
  return shown
}

/** How many stones each value would find, if its own filter were not set. */
export type Counts = Partial<Record<ChoiceName, Map<string, number>>>

/** Unused filters are counted by the list's own facets; each used one needs its own request. */
export function useCounts(query: SearchQuery, facets: Facets | undefined): Counts {
  const [countsOfUsed, setCountsOfUsed] = useState<Counts>({})
  const names = Object.keys(query.choices) as ChoiceName[]
  const used = names.filter((name) => query.choices[name].length > 0)
  const key = JSON.stringify([filtersOf(query), used])
  // The key stands for the query.
  useEffect(() => {
    const controller = new AbortController()
    const request = async () => {
      const counts = await Promise.all(
        used.map(async (name) => {
          const found = await facetsWithout(query, name, controller.signal)
          return [name, countsIn(found, name)] as const
        }),
      )
      if (!controller.signal.aborted) setCountsOfUsed(Object.fromEntries(counts))
    }
    // A failure is not shown here: the list of stones, which is requested too, reports it.
    const timer = setTimeout(() => void request().catch(() => {}), COUNTS_DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [key])
  return useMemo(() => {
    if (!facets) return countsOfUsed
    const counts: Counts = {}
    for (const name of names) {
      counts[name] = used.includes(name) ? countsOfUsed[name] : countsIn(facets, name)
    }
    return counts
    // `names` and `used` follow from the query.
  }, [facets, countsOfUsed, query])
}

/** The facets of a search that leaves one of its filters out. */
export async function facetsWithout(
  query: SearchQuery,
  name: string,
  signal: AbortSignal,
  bounds: Record<string, number> = {},
): Promise<Facets | undefined> {
  const search = {
    filters: { ...filtersOf(query, name), ...bounds },
    limit: 1,
    offset: 0,
    sort_col: 'weight',
    sort_order: 'asc' as const,
    include: ['facets' as const],
  }
  return (await searchDiamonds(search, signal)).facets
}

function countsIn(facets: Facets | undefined, name: ChoiceName): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { value, count } of facets?.[name] ?? []) {
    if (value !== null) counts.set(value, count)
  }
  return counts
}
