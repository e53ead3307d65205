import { type TProperties, type TSchema, Type } from 'typebox'
import { DIAMOND_FIELDS } from '../../gems/search/diamond-fields.ts'
import {
  type Field,
  type FieldTable,
  facetFields,
  sortableFields,
} from '../../gems/search/field-table.ts'
import type { FilterValue, SearchFilters } from '../../gems/search/request.ts'
import {
  flag,
  inlineObject,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
} from './fields.ts'
import { GemSchema } from './gem.ts'
import { limitField, offsetField } from './page.ts'

const LIMIT = 50
const LIMIT_MAX = 1000
/** More values than this in one filter is a list, not a wish. */
const VALUES_MAX = 1000
/** Beyond any price, weight or length. */
const BOUND_MAX = 1e10

/** The body of a search over a table of fields: its filters and sort columns are read from it. */
export function searchBodyOf(title: string, fields: FieldTable) {
  return inlineObject(
    {
      filters: Type.Optional(
        Type.Unsafe<SearchFilters>(
          object(`${title}Filters`, filterProperties(fields), {
            description: 'Combined with AND; an array means one of its values',
          }),
        ),
      ),
      limit: limitField(LIMIT, LIMIT_MAX),
      offset: offsetField,
      sort_col: oneOf(sortableFields(fields), 'What to sort by', { default: 'retail_price' }),
      sort_order: oneOf(['asc', 'desc'], 'Grades sort from best to worst when asc', {
        default: 'asc',
      }),
      currency_code: Type.Optional(
        text("Prices in this currency instead of the merchant's own", 'EUR', {
          pattern: '^[A-Z]{3}$',
        }),
      ),
    },
    { title: `${title}Search` },
  )
}

function filterProperties(fields: FieldTable): TProperties {
  const filters = Object.entries(fields).flatMap(([name, field]) => filtersOf(name, field))
  return Object.fromEntries(filters.map(([key, schema]) => [key, Type.Optional(schema)]))
}

function filtersOf(name: string, field: Field): [key: string, schema: TSchema][] {
  const values = (items: TSchema, description: string) =>
    list(items, description, { minItems: 1, maxItems: VALUES_MAX })
  switch (field.kind) {
    case 'text': {
      const item = text(`A ${name}`, 'D-4711', { maxLength: 200 })
      return [[name, values(field.nullable ? nullable(item) : item, `One of these ${name}`)]]
    }
    case 'oneOf': {
      const item = itemOf(name, field)
      return [[name, values(field.nullable ? nullable(item) : item, 'One of these')]]
    }
    case 'pairs': {
      const item = text('Both values with a colon, in either order', 'brilliant_cut:round')
      return [[name, values(item, `One of these combinations of ${field.of.join(' and ')}`)]]
    }
    case 'flag':
      return [[name, flag(flagWords(field.absent), true)]]
    case 'moment': {
      const more = { maxLength: 40 }
      const since = text('Changed at or after this moment', '2026-01-31T00:00:00Z', more)
      return field.since ? [[field.since, since]] : []
    }
    case 'range':
    case 'price': {
      if (field.kind === 'range' && field.sortOnly) return []
      const bounds = { minimum: -BOUND_MAX, maximum: BOUND_MAX }
      return [
        [`${name}_min`, number(`At least this ${name}`, 1, bounds)],
        [`${name}_max`, number(`At most this ${name}`, 2, bounds)],
      ]
    }
  }
}

function flagWords(absent: boolean | undefined): string {
  return absent === undefined ? 'Both when absent' : `${absent} when absent`
}

function itemOf(name: string, field: Extract<Field, { kind: 'oneOf' }>): TSchema {
  if (field.values !== 'open') {
    return oneOf([...field.values, ...(field.noneWord ? ['None'] : [])], `A ${name}`)
  }
  return text(`A ${name}`, 'IND', {
    maxLength: 100,
    ...(field.pattern && { pattern: field.pattern }),
  })
}

const count = inlineObject({
  value: nullable(text('The value; null: not known', 'round')),
  count: integer('Matching stones that have it', 42),
})
const histogram = inlineObject({
  min: nullable(number('The least', 100)),
  max: nullable(number('The greatest', 5000)),
  bins: list(integer('Stones', 7), '30 equal steps from the least to the greatest'),
})

export const FacetsSchema = object('Facets', {
  ...Object.fromEntries(
    facetFields(DIAMOND_FIELDS).map((name) => [name, list(count, `Counts by ${name}`)]),
  ),
  histograms: inlineObject(
    { retail_price: histogram, weight: histogram },
    { description: 'How the matches spread over prices and weights' },
  ),
})

export const RelaxationSchema = object('Relaxation', {
  filter: text('The filter as it was sent', 'retail_price_max'),
  change: oneOf(['dropped', 'widened'], 'What to do with it'),
  value: Type.Unsafe<FilterValue | null>({ description: 'What it becomes; null when dropped' }),
  total_count: integer('Stones there would be', 12),
})

export const DiamondSearchBody = inlineObject(
  {
    ...searchBodyOf('Diamond', DIAMOND_FIELDS).properties,
    include: Type.Optional(
      list(oneOf(['facets', 'relaxations'], 'A part'), 'What the answer shall have besides', {
        maxItems: 2,
      }),
    ),
  },
  { title: 'DiamondSearch' },
)

const occurring = inlineObject(
  {
    cut_code: list(text('A cut code', 'brilliant_cut'), 'Those among the matches'),
    is_fancy: flag('The setting that was applied', false),
    type: list(text('A type', 'mined'), 'Those among the matches'),
  },
  { description: 'Of all matches, not only of this page' },
)
const extensions = {
  facets: Type.Optional(FacetsSchema),
  relaxations: Type.Optional(list(RelaxationSchema, 'When nothing matches: what would')),
}

export const DiamondSearchResultV2 = object('DiamondSearchResult', {
  filters: occurring,
  gems: list(GemSchema, 'The stones of this page'),
  metadata: inlineObject(
    {
      limit: integer('Most stones on a page', LIMIT),
      offset: integer('Stones skipped', 0),
      total_count: integer('Matching stones, exact', 1234),
    },
    { description: 'The page' },
  ),
  ...extensions,
})

export const DiamondSearchResultV3 = object('DiamondSearchPage', {
  filters: occurring,
  gems: list(GemSchema, 'The stones of this page'),
  total: integer('Matching stones, exact', 1234),
  offset: integer('Stones skipped', 0),
  limit: integer('Most stones on a page', LIMIT),
  ...extensions,
})
