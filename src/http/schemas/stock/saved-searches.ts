import { type Static, Type } from 'typebox'
import { ALERTS, SEARCH_KINDS } from '../../../saved-searches/saved-search.ts'
import type { SearchFields } from '../../../saved-searches/saved-search-store.ts'
import {
  inlineObject,
  nullable,
  number,
  ONE_LINE,
  object,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../fields.ts'
import {
  DiamondSearchBodyV3,
  DiamondSearchResultV3,
  GemstonePage,
  GemstoneSearchBody,
} from '../gem-search.ts'
import { listLimit, offsetField } from '../page.ts'

/** Searches that a merchant saves. Their filters are those of the search of their kind. */
const name = text('Name of the search; one line', 'Ring for an anniversary', {
  minLength: 1,
  maxLength: 200,
  pattern: ONE_LINE,
})
const kind = oneOf(SEARCH_KINDS, 'What is searched for')
const alert = oneOf(
  ALERTS,
  'When `search.match` tells of stones that start to match: never, once a minute, or once a day',
)
const filters = Type.Unsafe<SearchFields['filters']>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'As `filters` of the search of its kind, `POST /api/v3/diamonds/merchant_search` or ' +
        "`POST /api/v3/gemstones/search`; prices in the merchant's currency",
      examples: [{ shape: ['round'], weight_min: 1, color: ['D', 'E', 'F'] }],
    },
  ),
)
const limitOfPrice = nullable(
  number("Only up to this retail price, in the merchant's currency; null means any", 8000, {
    exclusiveMinimum: 0,
    maximum: 9_999_999_999.99,
    multipleOf: 0.01,
  }),
)

export const SavedSearchBody = inlineObject(
  {
    name,
    kind,
    filters,
    alert: Type.Optional({ ...alert, default: 'off', examples: ['instant'] } as typeof alert),
    max_retail_price: Type.Optional(limitOfPrice),
  },
  { title: 'NewSavedSearch' },
)

export const SavedSearchPatch = inlineObject(
  {
    name: Type.Optional(name),
    filters: Type.Optional(filters),
    alert: Type.Optional(alert),
    max_retail_price: Type.Optional(limitOfPrice),
  },
  { title: 'SavedSearchChange', minProperties: 1 },
)

export const SavedSearchSchema = object('SavedSearch', {
  uuid: uuid('UUID of the saved search'),
  name,
  kind,
  filters,
  alert,
  max_retail_price: nullable(number('Greatest retail price; null means any', 8000)),
  created_on: timestamp('When it was saved'),
  updated_on: timestamp('When it was last changed'),
})

/** As many as there can be. */
export const SavedSearchQuery = inlineObject({
  limit: listLimit,
  offset: offsetField,
  q: Type.Optional(text('Part of the name, in upper or lower case', 'ring', { maxLength: 200 })),
})

const { filters: _, currency_code: __, ...diamondPage } = DiamondSearchBodyV3.properties
const { filters: ___, currency_code: ____, ...gemstonePage } = GemstoneSearchBody.properties

/** How each kind of search is read, without what is saved. */
export const RUN_BODIES = {
  diamond: inlineObject(diamondPage),
  gemstone: inlineObject(gemstonePage),
} as const

/** The filters of each kind, as the body of a search has them. */
export const FILTER_BODIES = {
  diamond: inlineObject({ filters: DiamondSearchBodyV3.properties.filters }),
  gemstone: inlineObject({ filters: GemstoneSearchBody.properties.filters }),
} as const

export type RunBody = Static<(typeof RUN_BODIES)['diamond']>

/** What either kind takes; the kind of the saved search decides which values are right. */
export const SavedSearchRun = nullable(
  inlineObject({ ...diamondPage, fields: gemstonePage.fields }, { title: 'SavedSearchRun' }),
)

export const SavedSearchResult = Type.Union([DiamondSearchResultV3, GemstonePage], {
  description: 'The response of the search of its kind',
})
