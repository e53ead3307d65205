import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ApiProblem } from '../api/client.ts'
import { type DiamondSearchResult, type Facets, searchDiamonds } from '../api/diamonds.ts'
import { asProblem } from '../api/hooks.ts'
import { type ChoiceName, filtersOf, type SearchQuery } from './query.ts'

/** Two screens of cards, or one and a half of the table: what is drawn sets the pace. */
export const PAGE_SIZE = 30
/** How long counts wait, so that they do not delay the list. */
const PAUSE_MS = 60

export interface SearchReading {
  first: DiamondSearchResult | undefined
  problem: ApiProblem | undefined
  loading: boolean
  reload: () => void
}

/** The first page with its counts. The last answer stays until the next one is there. */
export function useFirstPage(query: SearchQuery): SearchReading {
  const key = JSON.stringify([filtersOf(query), query.sort, query.order])
  const [round, setRound] = useState(0)
  const [state, setState] = useState<Omit<SearchReading, 'reload'>>({
    first: undefined,
    problem: undefined,
    loading: true,
  })
  // The key stands for the query. Not after the next frame, as other effects: somebody waits.
  useLayoutEffect(() => {
    const controller = new AbortController()
    setState((before) => ({ ...before, loading: true }))
    const search = {
      filters: filtersOf(query),
      limit: PAGE_SIZE,
      offset: 0,
      sort_col: query.sort,
      sort_order: query.order,
      include: ['facets' as const, 'relaxations' as const],
    }
    searchDiamonds(search, controller.signal).then(
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

/** How many stones each value would give, the filter itself not counted. */
export type Counts = Partial<Record<ChoiceName, Map<string, number>>>

export function useCounts(query: SearchQuery, facets: Facets | undefined): Counts {
  const [apart, setApart] = useState<Counts>({})
  const filtered = (Object.keys(query.choices) as ChoiceName[]).filter(
    (name) => query.choices[name].length > 0,
  )
  const key = JSON.stringify([filtersOf(query), filtered])
  // The key stands for the query.
  useEffect(() => {
    const controller = new AbortController()
    const ask = async () => {
      const answers = await Promise.all(
        filtered.map(async (name) => {
          const found = await facetsWithout(query, name, controller.signal)
          return [name, countsIn(found, name)] as const
        }),
      )
      if (!controller.signal.aborted) setApart(Object.fromEntries(answers))
    }
    // Counts are a courtesy: the list goes first, and says itself what went wrong.
    const timer = setTimeout(() => ask().catch(() => {}), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [key])
  return useMemo(() => {
    if (!facets) return apart
    const all: Counts = {}
    for (const name of Object.keys(query.choices) as ChoiceName[]) {
      all[name] = filtered.includes(name) ? apart[name] : countsIn(facets, name)
    }
    return all
    // Filtered follows from the query.
  }, [facets, apart, query])
}

export async function facetsWithout(
  query: SearchQuery,
  name: string,
  signal: AbortSignal,
  more: Record<string, number> = {},
): Promise<Facets | undefined> {
  const search = {
    filters: { ...filtersOf(query, name), ...more },
    limit: 1,
    offset: 0,
    sort_col: 'weight',
    sort_order: 'asc' as const,
    include: ['facets' as const],
  }
  return (await searchDiamonds(search, signal)).facets
}

function countsIn(facets: Facets | undefined, name: string): Map<string, number> {
  const values = facets?.[name]
  const counts = new Map<string, number>()
  if (!Array.isArray(values)) return counts
  for (const { value, count } of values) if (value !== null) counts.set(value, count)
  return counts
}

/** Keeps pages by number, so that scrolling back costs nothing. */
export function usePages(query: SearchQuery, first: DiamondSearchResult | undefined) {
  const key = JSON.stringify([filtersOf(query), query.sort, query.order])
  const pages = useRef({ key, rows: new Map<number, DiamondSearchResult['gems']>() })
  const asked = useRef(new Set<number>())
  const [, redraw] = useState(0)
  if (pages.current.key !== key) {
    pages.current = { key, rows: new Map() }
    asked.current = new Set()
  }
  if (first) pages.current.rows.set(0, first.gems)
  const want = (page: number) => {
    const { rows } = pages.current
    if (rows.has(page) || asked.current.has(page)) return
    asked.current.add(page)
    searchDiamonds({
      filters: filtersOf(query),
      limit: PAGE_SIZE,
      offset: page * PAGE_SIZE,
      sort_col: query.sort,
      sort_order: query.order,
    }).then(
      ({ gems }) => {
        rows.set(page, gems)
        if (pages.current.rows === rows) redraw((before) => before + 1)
      },
      () => asked.current.delete(page),
    )
  }
  return {
    gemAt: (index: number) =>
      pages.current.rows.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE],
    want,
  }
}
