import { type Static, type TObject, Type } from 'typebox'
import type { CuratedGems } from '../../schemas/curation.ts'
import { CurationBody } from '../../schemas/curation.ts'
import { inlineObject } from '../../schemas/fields.ts'
import { DiamondSearchBodyV3, GemstoneSearchBody } from '../../schemas/gem-search.ts'
import { limitField } from '../../schemas/page.ts'
import { curatedPage, diamondsPage, gemstonesPage } from '../console-pages.ts'
import type { MarketCalls } from '../market-calls.ts'
import { GEMSTONE_FIELDS, pick, SEARCH_FIELDS, type Stone } from '../stones.ts'
import { READS, tool } from '../tool.ts'

const STONES = 10
/** A model reads no more at once; the next page is one call away. */
const STONES_MAX = 100

/** Of more stones only the scores are told: the reasons would be most of the bytes. */
const EXPLAINED_MAX = 5

/** How the filters of both searches are read. */
const FILTERS =
  'All must match; a list matches any of its values. Carats, millimetres, prices in currency_code.'

/** Filters that are accepted as all others, and listed by their names only. */
const RARE_FILTERS = [
  'cut_code',
  'cut_code_shape',
  'overtone',
  'girdle_min',
  'girdle_max',
  'culet_size',
  'length_min',
  'length_max',
  'width_min',
  'width_max',
  'depth_min',
  'depth_max',
  'crown_angle_min',
  'crown_angle_max',
  'pavilion_angle_min',
  'pavilion_angle_max',
  'off_rap_percentage_min',
  'off_rap_percentage_max',
  'is_sustainable',
  'updated_since',
  'lab_name',
  'shade',
  'milky',
  'has_image',
  'has_video',
  'has_v360',
  'has_certificate_file',
]
/** Pages are read by cursor, and relaxations come by themselves. */
const HIDDEN = ['offset', 'include', ...RARE_FILTERS.map((name) => `filters.${name}`)]

interface Found {
  gems: Stone[]
  total: number
  next_cursor: string | null
  relaxations?: object[]
  facets?: Facets
}

type Facets = Record<string, { value: string | null; count: number }[] | object>

interface SearchBody {
  filters?: Record<string, unknown>
  include?: readonly string[]
  fields?: readonly string[]
}

export const searchDiamonds = tool('search_diamonds', {
  description:
    'Search diamonds at your prices: wholesale_price is what you pay, retail_price what your ' +
    'customers see. Cheapest first. If nothing matches, relaxations says which filter to change.',
  schema: searchSchemaOf(
    DiamondSearchBodyV3,
    'Fancy colors only with is_fancy; treated stones only with treatment.',
  ),
  hidden: HIDDEN,
  annotations: READS,
  run: (args, market) =>
    search(market, '/api/v3/diamonds/merchant_search', args, {
      fields: SEARCH_FIELDS,
      page: diamondsPage(args.filters ?? {}),
    }),
})

export const searchGemstones = tool('search_gemstones', {
  description: 'Search coloured stones (sapphire, ruby, emerald …) as search_diamonds does.',
  schema: searchSchemaOf(GemstoneSearchBody, ''),
  hidden: HIDDEN,
  annotations: READS,
  run: (args, market) =>
    search(market, '/api/v3/gemstones/search', args, {
      fields: GEMSTONE_FIELDS,
      page: gemstonesPage(args.filters ?? {}),
    }),
})

export const curatedDiamonds = tool('curated_diamonds', {
  description:
    "The best diamond, or matched pair, for each of the merchant's templates (good, better, " +
    'best). Use it when a customer names only shape and carats. explain adds the reasons, for up ' +
    'to 5 stones.',
  schema: CurationBody,
  annotations: READS,
  run: async (args, market) => {
    const path = '/api/v3/diamonds/get_diamonds_by_merchant_templates'
    const gems = await market.post<Static<typeof CuratedGems>>(path, args)
    return {
      currency_code: gems[0]?.currency_code,
      gems: gems.map((gem) => ({
        template: [gem.merchant_template_group, gem.merchant_template_label].join(' '),
        ...pick(gem as Stone, SEARCH_FIELDS),
        ...(gem.match && { match: gems.length > EXPLAINED_MAX ? gem.match.score : gem.match }),
      })),
      ...(gems.length === 0 && {
        hint: 'No stone fits a template; try another weight, or search_diamonds.',
      }),
      console: market.page(curatedPage(args)),
    }
  },
})

/** The body of a search with fewer stones on a page, and words for a model. */
function searchSchemaOf<Body extends TObject>(body: Body, more: string): Body {
  const { filters, fields } = body.properties
  const rare = RARE_FILTERS.filter((name) => Object.hasOwn((filters as TObject).properties, name))
  const described = (schema: object, description: string) =>
    Type.Optional(Type.Unsafe({ ...schema, description }))
  return inlineObject({
    ...body.properties,
    filters: described(filters, [FILTERS, more, `Also: ${rare.join(', ')}.`].join(' ')),
    limit: limitField(STONES, STONES_MAX),
    fields: described(fields, 'Fields of a stone to return instead of the usual ones'),
  }) as unknown as Body
}

/** Searches; when nothing matches, the market is asked which change of a filter would help. */
async function search(
  market: MarketCalls,
  path: string,
  args: SearchBody,
  { fields, page }: { fields: readonly string[]; page: string },
): Promise<object> {
  const shown = args.fields ?? fields
  const found = await market.post<Found>(path, {
    ...args,
    fields: [...new Set([...shown, 'currency_code'])],
  })
  const relaxations = found.relaxations ?? (await relaxationsFor(market, path, args, found))
  return {
    total: found.total,
    currency_code: found.gems[0]?.currency_code,
    gems: found.gems.map((gem) => pick(gem, shown)),
    ...(found.next_cursor && { next_cursor: found.next_cursor }),
    ...(relaxations && { relaxations }),
    ...(found.facets && { facets: compactFacets(found.facets) }),
    console: market.page(page),
  }
}

/** Asked for only when it is needed, because it counts as three more calls. */
async function relaxationsFor(
  market: MarketCalls,
  path: string,
  { filters }: SearchBody,
  { total }: Found,
): Promise<object[] | undefined> {
  if (total > 0 || Object.keys(filters ?? {}).length === 0) return undefined
  const body = { filters, limit: 1, fields: ['sku'], include: ['relaxations'] }
  return (await market.post<Found>(path, body)).relaxations
}

/** `{"shape": {"round": 12}}`; the bins of histograms are for drawings. */
function compactFacets(facets: Facets): Record<string, object> {
  return Object.fromEntries(
    Object.entries(facets).map(([name, counts]) => [
      name,
      Array.isArray(counts)
        ? Object.fromEntries(counts.map(({ value, count }) => [value ?? 'unknown', count]))
        : withoutBins(counts as Record<string, { min: number | null; max: number | null }>),
    ]),
  )
}

function withoutBins(histograms: Record<string, { min: number | null; max: number | null }>) {
  return Object.fromEntries(
    Object.entries(histograms).map(([name, { min, max }]) => [name, { min, max }]),
  )
}
