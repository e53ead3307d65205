import { useEffect, useRef, useState } from 'preact/hooks'
import { asProblem } from '../../api/client.ts'
import { type Gem, searchDiamonds } from '../../api/gems.ts'
import { problemText } from '../../language/problem-text.ts'
import { showToast } from '../../parts/toast.tsx'
import type { Pages } from '../pages.ts'
import { filtersOf, type SearchQuery } from '../query.ts'

/** One request has no more stones, so no more are selected at once. */
export const SELECTED_MAX = 1000

export interface Selection {
  gems: ReadonlyMap<string, Gem>
  /** Adds or removes one stone; with `isRange` everything between it and the one before. */
  toggle: (index: number, isRange: boolean) => void
  selectAll: () => void
  clear: () => void
}

/** The stones that are selected in the table. Other filters begin with none. */
export function useSelection(query: SearchQuery, pages: Pages, total: number): Selection {
  const [gems, setGems] = useState<ReadonlyMap<string, Gem>>(new Map())
  const anchor = useRef<number | undefined>(undefined)
  const key = JSON.stringify(filtersOf(query))
  useEffect(() => {
    setGems(new Map())
    anchor.current = undefined
  }, [key])
  const add = (more: readonly Gem[]) =>
    setGems((before) => {
      const all = [...before, ...more.map((gem) => [gem.sku, gem] as const)]
      return new Map(all.slice(0, SELECTED_MAX))
    })
  /** Rows between may not be loaded yet, so the server is asked for them. */
  const addRange = (from: number, to: number) =>
    searchDiamonds({
      filters: filtersOf(query),
      offset: from,
      limit: Math.min(SELECTED_MAX, to - from + 1),
      sort_col: query.sort,
      sort_order: query.order,
    }).then(
      (found) => add(found.gems),
      (error: unknown) => showToast(problemText(asProblem(error))),
    )
  return {
    gems,
    toggle: (index, isRange) => {
      const gem = pages.gemAt(index)
      if (!gem) return
      const from = anchor.current
      anchor.current = index
      if (isRange && from !== undefined && from !== index) {
        void addRange(Math.min(from, index), Math.max(from, index))
        return
      }
      setGems((before) => {
        const next = new Map(before)
        if (!next.delete(gem.sku) && next.size < SELECTED_MAX) next.set(gem.sku, gem)
        return next
      })
    },
    selectAll: () => void addRange(0, Math.min(total, SELECTED_MAX) - 1),
    clear: () => setGems(new Map()),
  }
}
