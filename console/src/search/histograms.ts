import { useEffect, useState } from 'preact/hooks'
import type { Histogram } from '../api/diamonds.ts'
import type { Scale } from '../parts/range-slider.tsx'
import { filtersOf, type RangeName, type SearchQuery } from './query.ts'
import { facetsWithout } from './results.ts'

export interface Bar {
  from: number
  to: number
  count: number
}

/** Long enough that dragging a handle asks once; short enough that nobody waits for it. */
const PAUSE_MS = 120

/**
 * The histogram of what is left for one range, its own bounds not counted. The interface answers
 * with equal steps; prices spread over decades, so they are asked for decade by decade.
 */
export function useBars(
  query: SearchQuery,
  name: RangeName & ('weight' | 'retail_price'),
  scale: Scale,
  cuts: readonly number[],
): Bar[] | undefined {
  const [bars, setBars] = useState<Bar[]>()
  const key = JSON.stringify(filtersOf(query, name))
  // The key stands for the query.
  useEffect(() => {
    const controller = new AbortController()
    const timer = setTimeout(() => {
      const parts = cuts.slice(1).map(async (high, index) => {
        const more = { [`${name}_min`]: cuts[index], [`${name}_max`]: high }
        const facets = await facetsWithout(query, name, controller.signal, more)
        return facets ? barsOf(facets.histograms[name], scale) : []
      })
      // A histogram is a courtesy: the list itself says what went wrong.
      Promise.all(parts).then(
        (all) => !controller.signal.aborted && setBars(gather(all.flat())),
        () => {},
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [key])
  return bars
}

function barsOf({ min, max, bins }: Histogram, scale: Scale): Bar[] {
  if (min === null || max === null) return []
  const width = (max - min) / bins.length
  return bins.map((count, index) => ({
    from: scale.toPosition(min + width * index),
    to: scale.toPosition(min + width * (index + 1)),
    count,
  }))
}

const COLUMNS = 48

/** Puts bars of different widths into columns of one width. */
function gather(bars: Bar[]): Bar[] {
  const counts = Array.from({ length: COLUMNS }, () => 0)
  for (const { from, to, count } of bars) {
    const first = Math.min(COLUMNS - 1, Math.floor(from * COLUMNS))
    const last = Math.min(COLUMNS - 1, Math.max(first, Math.ceil(to * COLUMNS) - 1))
    for (let column = first; column <= last; column++) {
      counts[column] += count / (last - first + 1)
    }
  }
  return counts.map((count, column) => ({
    from: column / COLUMNS,
    to: (column + 1) / COLUMNS,
    count,
  }))
}
