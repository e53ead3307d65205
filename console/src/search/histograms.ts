import { useEffect, useState } from 'preact/hooks'
import type { Histogram } from '../api/gems.ts'
import type { Scale } from '../parts/range-slider.tsx'
import { filtersOf, type SearchQuery } from './query.ts'
import { facetsWithout, untilListed } from './results.ts'

interface Bar {
  from: number
  to: number
  count: number
}

/** Long enough that dragging a handle sends one request; short enough that nobody waits. */
const DELAY_MS = 120

/**
 * The histogram of the matching stones over one range, whose own bounds are ignored. A response
 * has bins of equal width; prices span several powers of ten, so `cuts` asks for them in parts.
 */
export function useHistogram(
  query: SearchQuery,
  name: 'weight' | 'retail_price',
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
        await untilListed()
        const bounds = { [`${name}_min`]: cuts[index], [`${name}_max`]: high }
        const facets = await facetsWithout(query, name, controller.signal, bounds)
        return facets ? barsOf(facets.histograms[name], scale) : []
      })
      // A failure is not shown here: the list of stones, which is requested too, reports it.
      Promise.all(parts).then(
        (all) => !controller.signal.aborted && setBars(toColumns(all.flat())),
        () => {},
      )
    }, DELAY_MS)
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

/** Distributes bars of different widths over columns of equal width. */
function toColumns(bars: Bar[]): Bar[] {
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
