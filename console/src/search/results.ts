import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { type ApiProblem, asProblem } from '../api/client.ts'
import { type DiamondSearchResult, type Facets, searchDiamonds } from '../api/gems.ts'
import { useReconnected } from '../api/hooks.ts'
import { PAGE_SIZE } from './pages.ts'
import { type ChoiceName, filtersOf, type SearchQuery } from './query.ts'
import { BEST_VALUE } from './sorts.ts'

/** How long the counts wait, so that dragging a handle does not request them for each step. */
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
/** Settles when the list that was requested last is there, or has failed. */
let listed: Promise<unknown> = Promise.resolve()

/** Counts and plots wait for the list: the server and the page work on it first. */
export function untilListed(): Promise<unknown> {
  return listed
}

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

/** Without counts, which take the server longer than the list itself. */
function requestFirst(query: SearchQuery, signal: AbortSignal): Promise<DiamondSearchResult> {
  const search = {
    filters: filtersOf(query),
    limit: PAGE_SIZE,
    offset: 0,
    sort_col: query.sort,
    sort_order: query.order,
    include: ['relaxations' as const],
  }
  const found = searchDiamonds(search, signal).then((first) => {
    const { sort: sort_col } = asListed(query, first)
    return sort_col === query.sort ? first : searchDiamonds({ ...search, sort_col }, signal)
  })
  listed = found.catch(() => {})
  return found
}

/**
 * The search as it is listed. Stones without a list price come last in a list by value; where the
 * first has none, nobody could tell which is the better value, and the price decides.
 */
export function asListed(query: SearchQuery, first: DiamondSearchResult | undefined): SearchQuery {
  if (query.sort !== BEST_VALUE || first?.gems[0]?.off_rap_percentage !== null) return query
  return { ...query, sort: 'retail_price' }
}

/** The first page. The last response stays until the next one arrives. */
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
  const reload = useCallback(() => setRound((before) => before + 1), [])
  useReconnected(state.problem, reload)
  return { ...state, reload }
}

/** The facets of a list, requested when it is on the screen. The last ones stay until then. */
export function useFacets(
  query: SearchQuery,
  list: DiamondSearchResult | undefined,
): Facets | undefined {
  const [facets, setFacets] = useState<Facets>()
  // The list stands for the query.
  useEffect(() => {
    if (!list) return
    const controller = new AbortController()
    const { signal } = controller
    const request = async () => {
      const found = await facetsWithout(query, '', signal)
      if (!signal.aborted) setFacets(found)
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      // A failure is not shown here: the next list asks again.
      timer = setTimeout(() => void request().catch(() => {}))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      controller.abort()
    }
  }, [list])
  return facets
}

/** How many stones each value would find, if its own filter were not set. */
export type Counts = Partial<Record<ChoiceName, ReadonlyMap<string, number>>>

/**
 * Unused filters are counted by the facets of the list; each used one needs its own request, and
 * so does the treatment, which the stones of the list do not have.
 */
export function useCounts(query: SearchQuery, facets: Facets | undefined): Counts {
  const [countsOfUsed, setCountsOfUsed] = useState<Counts>({})
  const names = Object.keys(query.choices) as ChoiceName[]
  const used = names.filter((name) => name === 'treatment' || query.choices[name].length > 0)
  const key = JSON.stringify([filtersOf(query), used])
  // The key stands for the query.
  useEffect(() => {
    const controller = new AbortController()
    const request = async () => {
      await untilListed()
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
    // Treated stones are found only by their treatment, which has to be offered first.
    include_treated: name === 'treatment',
  }
  return (await searchDiamonds(search, signal)).facets
}

const NO_COUNTS: ReadonlyMap<string, number> = new Map()
const counted = new WeakMap<Facets, Map<ChoiceName, ReadonlyMap<string, number>>>()

/** The same map for the same facets, so that a filter can tell that it shows the same. */
function countsIn(facets: Facets | undefined, name: ChoiceName): ReadonlyMap<string, number> {
  if (!facets) return NO_COUNTS
  const known = counted.get(facets) ?? new Map()
  counted.set(facets, known)
  const counts = known.get(name) ?? new Map<string, number>()
  if (known.has(name)) return counts
  for (const { value, count } of facets[name] ?? []) {
    if (value !== null) counts.set(value, count)
  }
  known.set(name, counts)
  return counts
}
