import { DIAMOND_SEARCH } from '../../src/gems/search/field-tables.ts'
import type { SearchRequest } from '../../src/gems/search/plan.ts'
import { searchGems } from '../../src/gems/search/search.ts'
import type { Store } from '../../src/index/index.ts'
import type { PriceRules } from '../../src/pricing/price-rules.ts'
import { measure, printTable } from '../support/measure.ts'

const page = { limit: 50, offset: 0, sort_order: 'asc' as const }
const QUERIES: Record<string, SearchRequest> = {
  'all by retail_price': { ...page, sort_col: 'retail_price' },
  'all by retail_price desc': { ...page, sort_col: 'retail_price', sort_order: 'desc' },
  'all by price_per_carat': { ...page, sort_col: 'price_per_carat' },
  'all by weight': { ...page, sort_col: 'weight' },
  'all by color': { ...page, sort_col: 'color' },
  'rounds by retail_price': { ...page, sort_col: 'retail_price', filters: { shape: ['round'] } },
  'rounds by updated_on desc': {
    ...page,
    sort_col: 'updated_on',
    sort_order: 'desc',
    filters: { shape: ['round'] },
  },
}

/** The first page, and the page in the middle: by its cursor and by its offset. */
export async function benchDeepPages(store: Store, rules: PriceRules): Promise<void> {
  const search = (request: SearchRequest) =>
    searchGems(store, DIAMOND_SEARCH, request, rules, ['cut_code', 'type'])
  const rows: string[][] = []
  for (const [name, request] of Object.entries(QUERIES)) {
    const offset = Math.floor(search(request).total / 2)
    const before = search({ ...request, offset: offset - 1, limit: 1 })
    const deep = { ...request, place: before.next ?? undefined }
    const byOffset = { ...request, offset }
    const ids = (asked: SearchRequest) => search(asked).found.map(({ id }) => id)
    if (ids(deep).join() !== ids(byOffset).join()) throw new Error(`${name}: the pages differ`)
    const first = await measure(300, () => search(request))
    const cursor = await measure(300, () => search(deep))
    const skipping = await measure(100, () => search(byOffset))
    const times = [first, cursor, skipping].map(({ p50 }) => p50.toFixed(3))
    rows.push([name, String(offset), ...times, (cursor.p50 / first.p50).toFixed(1)])
  }
  printTable(['pages of 50', 'deep at', 'first', 'by cursor', 'by offset', 'cursor / first'], rows)
}
