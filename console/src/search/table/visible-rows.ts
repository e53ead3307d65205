import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { placeOf, rememberPlace } from '../../lib/places.ts'
import { useStore } from '../../lib/store.ts'
import type { SearchQuery } from '../query.ts'
import { layout, ROW_PX } from './layout.ts'
import { windowAt } from './rows-window.ts'

export type VisibleRows = ReturnType<typeof useVisibleRows>

/** Which rows are in sight, and how far the list is scrolled. */
export function useVisibleRows(
  frame: { current: HTMLDivElement | null },
  total: number,
  query: SearchQuery,
) {
  const rowPx = ROW_PX[useStore(layout).density]
  const [view, setView] = useState({ topPx: 0, viewPx: 700 })
  const rows = windowAt({ total, rowPx }, view)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const measure = () => {
      const now = { topPx: element.scrollTop, viewPx: element.clientHeight }
      // Within a row nothing changes that would have to be drawn: the browser scrolls by itself.
      setView((before) => (isSameWindow({ total, rowPx }, before, now) ? before : now))
      rememberPlace('table', element.scrollTop)
    }
    measure()
    element.addEventListener('scroll', measure, { passive: true })
    window.addEventListener('resize', measure)
    return () => {
      element.removeEventListener('scroll', measure)
      window.removeEventListener('resize', measure)
    }
  }, [total, rowPx])
  const { choices, ranges, sort, order, flags } = query
  const queryKey = JSON.stringify([choices, ranges, sort, order, flags])
  // A new search starts at the top; one that was left before, where it was left.
  useLayoutEffect(() => {
    frame.current?.scrollTo({ top: placeOf('table') ?? 0 })
  }, [queryKey])
  /** Scrolls as little as brings a row into sight, below the head. */
  const show = (index: number) => {
    const element = frame.current
    if (!element) return
    const top = element.scrollTop * rows.ratio
    const above = index * rowPx
    const below = above + 2 * rowPx - element.clientHeight
    if (above < top) element.scrollTo({ top: above / rows.ratio })
    else if (below > top) element.scrollTo({ top: below / rows.ratio })
  }
  return { ...rows, rowPx, show }
}

type Table = Parameters<typeof windowAt>[0]
type View = Parameters<typeof windowAt>[1]

function isSameWindow(table: Table, before: View, now: View): boolean {
  const [one, other] = [windowAt(table, before), windowAt(table, now)]
  return one.first === other.first && one.last === other.last && one.shiftPx === other.shiftPx
}
