import type { SearchRequest } from '../../src/gems/search/plan.ts'
import { CLARITIES, COLORS } from '../../src/reference/attributes.ts'

const page = { limit: 50, offset: 0, sort_col: 'retail_price', sort_order: 'asc' as const }
const typical = {
  shape: ['round'],
  type: ['lab grown'],
  weight_min: 1,
  weight_max: 1.5,
  color: COLORS.slice(0, 5),
  clarity: CLARITIES.slice(0, 6),
}

/** The queries of bench/search; Q7 searches for two certificates of the market. */
export const queriesWith = (certificates: string[]): Record<string, SearchRequest> => ({
  'Q1 example': {
    ...page,
    limit: 10,
    filters: { weight_min: 0, weight_max: 2, type: ['mined', 'lab grown'] },
  },
  'Q2 typical': { ...page, filters: typical },
  'Q3 offset 1000': { ...page, filters: typical, offset: 1000 },
  'Q4 dearest': { ...page, limit: 100, sort_order: 'desc' },
  'Q5 narrow': {
    ...page,
    filters: {
      shape: ['oval'],
      type: ['mined'],
      weight_min: 1.5,
      weight_max: 2,
      ratio_min: 1.35,
      ratio_max: 1.5,
      table_percentage_min: 55,
      table_percentage_max: 62,
      depth_percentage_min: 58,
      depth_percentage_max: 63,
      has_media: true,
    },
  },
  'Q6 retail range': {
    ...page,
    sort_col: 'color',
    filters: { retail_price_min: 1000, retail_price_max: 3000, shape: ['round', 'oval', 'pear'] },
  },
  'Q7 certificates': { ...page, filters: { cert_num: certificates } },
  'Q8 facets': { ...page, filters: typical, include: ['facets'] },
})

/** So many that none is known any more when it is asked for again. */
const VARIATIONS = 6_000

/** The same searches with other weights, each of which is asked for once: no page is sent again. */
export function variationsOf(mix: SearchRequest[]): SearchRequest[] {
  return Array.from({ length: VARIATIONS }, (_, i) => {
    const query = mix[i % mix.length]
    const { weight_min = 0.2, weight_max = 30 } = query.filters ?? {}
    const filters = {
      ...query.filters,
      weight_min: Number((Number(weight_min) + (i % 97) / 1_000).toFixed(4)),
      weight_max: Number((Number(weight_max) + Math.floor(i / 97) / 1_000).toFixed(4)),
    }
    return { ...query, filters }
  })
}
