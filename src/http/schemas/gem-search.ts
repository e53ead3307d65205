import { type TArray, type TProperties, type TSchema, Type } from 'typebox'
import {
  DIAMOND_FIELDS,
  DIAMOND_FIELDS_V3,
  GEMSTONE_FIELDS,
} from '../../gems/search/field-tables.ts'
import {
  type Field,
  type FieldTable,
  facetFields,
  sortableFields,
} from '../../gems/search/fields.ts'
import type { FilterValue, SearchFilters } from '../../gems/search/plan.ts'
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
import { GemSchema, GemV3Schema } from './gem.ts'
import { cursorPaging, limitField, nextCursorField, offsetField, withFields } from './page.ts'

const LIMIT = 50
const LIMIT_MAX = 1000
/** Most values of one filter. */
const VALUES_MAX = 1000
/** Beyond any price, weight or length. */
const BOUND_MAX = 1e10

/** Makes the body of a search from a table of fields, which names its filters and sort columns. */
function searchBodyOf(title: string, fields: FieldTable) {
  return inlineObject(
    {
      filters: Type.Optional(
        Type.Unsafe<SearchFilters>(
          object(`${title}Filters`, filterProperties(fields), {
            description: 'Filters are combined with AND; an array matches any of its values',
          }),
        ),
      ),
      limit: limitField(LIMIT, LIMIT_MAX),
      offset: offsetField,
      sort_col: oneOf(sortableFields(fields), 'Column to sort by', { default: 'retail_price' }),
      sort_order: oneOf(['asc', 'desc'], 'Sort direction; with asc, grades go from best to worst', {
        default: 'asc',
      }),
      currency_code: Type.Optional(
        text("Currency of all prices; the merchant's own unless given", 'EUR', {
          pattern: '^[A-Z]{3}$',
        }),
      ),
      include: Type.Optional(
        list(oneOf(['facets', 'relaxations'], 'A part'), 'Further parts of the response', {
          maxItems: 2,
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
  if ('sortOnly' in field && field.sortOnly) return []
  const values = (items: TSchema, description: string) =>
    list(items, description, { minItems: 1, maxItems: VALUES_MAX })
  switch (field.kind) {
    case 'text': {
      const item = text(`A value of ${name}`, 'D-4711', { maxLength: 200 })
      return [
        [name, values(field.nullable ? nullable(item) : item, `Any of these values of ${name}`)],
      ]
    }
    case 'oneOf': {
      const item = itemOf(name, field)
      const any = field.anyCase
        ? 'Any of these values, in upper or lower case'
        : 'Any of these values'
      return [[name, values(field.nullable ? nullable(item) : item, any)]]
    }
    case 'pairs': {
      const item = text('Both values with a colon, in either order', 'brilliant_cut:round')
      return [[name, values(item, `Any of these combinations of ${field.of.join(' and ')}`)]]
    }
    case 'flag':
      return [[name, flag(flagWords(field.absent), true)]]
    case 'timestamp': {
      const more = { maxLength: 40 }
      const since = text('Changed at or after this time', '2026-01-31T00:00:00Z', more)
      return field.since ? [[field.since, since]] : []
    }
    case 'range':
    case 'price': {
      const bounds = { minimum: -BOUND_MAX, maximum: BOUND_MAX }
      return [
        [`${name}_min`, number(`At least this ${name}`, 1, bounds)],
        [`${name}_max`, number(`At most this ${name}`, 2, bounds)],
      ]
    }
  }
}

function flagWords(absent: boolean | undefined): string {
  return absent === undefined ? 'Matches both unless given' : `${absent} unless given`
}

function itemOf(name: string, field: Extract<Field, { kind: 'oneOf' }>): TSchema {
  if (field.values !== 'open') {
    return oneOf([...field.values, ...(field.noneWord ? ['None'] : [])], `A value of ${name}`)
  }
  return text(`A value of ${name}`, 'IND', {
    maxLength: 100,
    ...(field.pattern && { pattern: field.pattern }),
  })
}

const count = inlineObject({
  value: nullable(text('The value; null when not known', 'round')),
  count: integer('Matching stones that have it', 42),
})
const histogram = inlineObject({
  min: nullable(number('The smallest value', 100)),
  max: nullable(number('The largest value', 5000)),
  bins: list(
    integer('Number of stones', 7),
    '30 equal steps from the smallest value to the largest',
  ),
})

/** The fields with a list of values: `facetFields` as a type. */
type FacetName<Fields extends FieldTable> = {
  [Name in keyof Fields & string]: Fields[Name] extends { kind: 'oneOf'; sortOnly?: false }
    ? Name
    : never
}[keyof Fields & string]

function facetsOf<Fields extends FieldTable>(title: string, fields: Fields) {
  const counts = Object.fromEntries(
    facetFields(fields).map((name) => [name, list(count, `Counts by ${name}`)]),
  ) as Record<FacetName<Fields>, TArray<typeof count>>
  const histograms = inlineObject(
    { retail_price: histogram, weight: histogram },
    { description: 'How the matching stones are distributed over prices and weights' },
  )
  return object(title, { ...counts, histograms })
}

const RelaxationSchema = object('Relaxation', {
  filter: Type.Optional(text('Name of the filter, when one is enough', 'retail_price_max')),
  filters: list(
    text('Name of a filter', 'retail_price_max'),
    'The filters that change: one, or two that must both be dropped when no single one suffices',
  ),
  change: oneOf(['dropped', 'widened'], 'How the filter would change'),
  value: Type.Unsafe<FilterValue | null>({
    description: 'New value of the filter; null when dropped',
  }),
  total_count: integer('Stones that would match', 12),
})

export const DiamondSearchBodyV2 = searchBodyOf('Diamond', DIAMOND_FIELDS)

export const DiamondSearchBodyV3 = inlineObject(
  {
    ...searchBodyOf('Diamond', DIAMOND_FIELDS_V3).properties,
    ...cursorPaging(GemV3Schema),
    include_treated: Type.Optional(
      flag('Whether treated diamonds are found, too, whatever their treatment', false),
    ),
  },
  { title: 'DiamondSearchV3' },
)

const occurring = inlineObject(
  {
    cut_code: list(
      text('A cut code', 'brilliant_cut'),
      'Values that occur among the matching stones',
    ),
    is_fancy: flag('The filter that was applied', false),
    type: list(text('A type', 'mined'), 'Values that occur among the matching stones'),
  },
  { description: 'Values of all matching stones, not only of this page' },
)
const relaxations = Type.Optional(
  list(RelaxationSchema, 'When nothing matches: changes of filters that would give results'),
)

function extensionsOf<Fields extends FieldTable>(fields: Fields) {
  return { facets: Type.Optional(facetsOf('Facets', fields)), relaxations }
}

export const DiamondSearchResultV2 = object('DiamondSearchResult', {
  filters: occurring,
  gems: list(GemSchema, 'The stones of this page'),
  metadata: inlineObject(
    {
      limit: integer('Maximum number of stones on a page', LIMIT),
      offset: integer('Number of stones skipped', 0),
      total_count: integer('Exact number of matching stones', 1234),
    },
    { description: 'The page that was returned' },
  ),
  ...extensionsOf(DIAMOND_FIELDS),
})

export const DiamondSearchResultV3 = object('DiamondSearchPage', {
  filters: occurring,
  gems: list(withFields('GemFields', GemV3Schema), 'The stones of this page'),
  total: integer('Exact number of matching stones', 1234),
  offset: integer('Number of stones skipped, or on the pages before', 0),
  limit: integer('Maximum number of stones on a page', LIMIT),
  next_cursor: nextCursorField,
  ...extensionsOf(DIAMOND_FIELDS_V3),
})

export const GemstoneSchema = object('Gemstone', {
  ...GemV3Schema.properties,
  species: nullable(text('Species', 'sapphire')),
  origin: nullable(text('Country of origin', 'Sri Lanka')),
  treatment: nullable(text('Treatment; `none` when it is untreated', 'heated')),
})

export const GemstoneSearchBody = inlineObject(
  { ...searchBodyOf('Gemstone', GEMSTONE_FIELDS).properties, ...cursorPaging(GemstoneSchema) },
  { title: 'GemstoneSearch' },
)

export const GemstonePage = object('GemstonePage', {
  gems: list(withFields('GemstoneFields', GemstoneSchema), 'The stones of this page'),
  offset: integer('Number of stones skipped, or on the pages before', 0),
  limit: integer('Maximum number of stones on a page', 50),
  total: integer('Exact number of matching stones', 120),
  next_cursor: nextCursorField,
  facets: Type.Optional(facetsOf('GemstoneFacets', GEMSTONE_FIELDS)),
  relaxations,
})
