import { type Filters, searchGemstones } from '../../api/gems.ts'
import { useRead } from '../../api/hooks.ts'
import { GEMSTONE_CHOICES, type GemstoneChoice } from './filters.ts'

/** How many stones each value would find; undefined until they are counted. */
export type GemstoneCounts = Partial<Record<GemstoneChoice, ReadonlyMap<string, number>>>

/** A filter that is used is counted without itself, so that its other values have a number. */
export function useGemstoneCounts(filters: Filters): GemstoneCounts {
  const reading = useRead(JSON.stringify(filters), async (signal) => {
    const used = GEMSTONE_CHOICES.filter((name) => filters[name] !== undefined)
    const [all, ...without] = await Promise.all([
      readFacets(filters, signal),
      ...used.map((name) => readFacets({ ...filters, [name]: undefined }, signal)),
    ])
    return Object.fromEntries(
      GEMSTONE_CHOICES.map((name) => {
        const at = used.indexOf(name)
        return [name, countsIn(at < 0 ? all : without[at], name)]
      }),
    )
  })
  return reading.value ?? {}
}

type Facets = Awaited<ReturnType<typeof readFacets>>

async function readFacets(filters: Filters, signal: AbortSignal) {
  const page = { limit: 1, offset: 0, sort_col: 'retail_price', sort_order: 'asc' } as const
  const search = { ...page, filters, include: ['facets' as const] }
  return (await searchGemstones(search, signal)).facets
}

function countsIn(facets: Facets, name: GemstoneChoice): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { value, count } of facets?.[name] ?? []) {
    if (value !== null) counts.set(value, count)
  }
  return counts
}
