/**
 * A search over gems is declared as a table of fields: index columns, request schema, predicates
 * and the list of sort columns are all read from it. The name of a field is its filter's name.
 */
export type FieldTable = Readonly<Record<string, Field>>

export type Field =
  | TextField
  | OneOfField
  | PairsField
  | RangeField
  | PriceField
  | FlagField
  | MomentField

/** An array of exact texts. */
export interface TextField {
  readonly kind: 'text'
  readonly nullable?: boolean
}

/** An array of values out of a list. */
export interface OneOfField {
  readonly kind: 'oneOf'
  /** In sorting order; 'open': whatever occurs. */
  readonly values: readonly string[] | 'open'
  /** What an open value looks like. */
  readonly pattern?: string
  /** null in the array selects stones without the attribute. */
  readonly nullable?: boolean
  /** The word `None` means null too. */
  readonly noneWord?: boolean
  /** The list is a scale, best first: a neighbour is "one step" away. */
  readonly graded?: boolean
  /** Values that may be asked for only together with a flag. */
  readonly onlyWith?: { readonly values: readonly string[]; readonly flag: string }
  readonly sort?: boolean
}

/** An array of combinations of two other fields, written with a colon, in either order. */
export interface PairsField {
  readonly kind: 'pairs'
  readonly of: readonly [string, string]
}

/** `_min` and `_max`. */
export interface RangeField {
  readonly kind: 'range'
  readonly decimals: number
  readonly sort?: boolean
  /** No filter, only an order. */
  readonly sortOnly?: boolean
  /** Which columns the two bounds are about, when they differ from the field. */
  readonly bounds?: { readonly min: string; readonly max: string }
}

/** `_min` and `_max` of a number that depends on the caller's price list, margins or currency. */
export interface PriceField {
  readonly kind: 'price'
  readonly price: 'retail' | 'wholesale' | 'per_carat' | 'off_list'
  readonly sort?: boolean
}

export interface FlagField {
  readonly kind: 'flag'
  /** SQL, when the flag is not a column of the table. */
  readonly sql?: string
  /** What holds when the caller does not say. */
  readonly absent?: boolean
}

/** A timestamp; `since` names the filter that takes stones from a moment on. */
export interface MomentField {
  readonly kind: 'moment'
  readonly sort?: boolean
  readonly since?: string
}

/** The fields by which the caller may sort. */
export function sortableFields(fields: FieldTable): string[] {
  return Object.keys(fields).filter((name) => {
    const field = fields[name]
    return 'sort' in field && field.sort === true
  })
}

/** The fields whose values are counted in facets. */
export function facetFields(fields: FieldTable): string[] {
  return Object.keys(fields).filter((name) => fields[name].kind === 'oneOf')
}

/** The names of the filters that a field answers. */
function filtersOf(name: string, field: Field): string[] {
  if (field.kind === 'moment') return field.since === undefined ? [] : [field.since]
  if (field.kind === 'range' && field.sortOnly) return []
  const isRange = field.kind === 'range' || field.kind === 'price'
  return isRange ? [`${name}_min`, `${name}_max`] : [name]
}

/**
 * The fields that have something to say about the filters, in the order of the table. A table has
 * some fifty and a request a handful, so the way from filter to field is looked up once for all.
 */
export function fieldsFor(
  fields: FieldTable,
  filters: Readonly<Record<string, unknown>>,
): string[] {
  let ways = known.get(fields)
  if (!ways) {
    ways = waysOf(fields)
    known.set(fields, ways)
  }
  const places = new Set(ways.always)
  for (const name of Object.keys(filters)) {
    const place = ways.places.get(name)
    if (place !== undefined) places.add(place)
  }
  const { names } = ways
  return [...places].sort((a, b) => a - b).map((place) => names[place])
}

interface Ways {
  names: string[]
  /** The places of the fields that hold when the caller does not say. */
  always: number[]
  /** The place of the field, by filter. */
  places: Map<string, number>
}

const known = new WeakMap<FieldTable, Ways>()

function waysOf(fields: FieldTable): Ways {
  const ways: Ways = { names: Object.keys(fields), always: [], places: new Map() }
  for (const [place, name] of ways.names.entries()) {
    const field = fields[name]
    for (const filter of filtersOf(name, field)) ways.places.set(filter, place)
    if (field.kind === 'flag' && field.absent !== undefined) ways.always.push(place)
  }
  return ways
}
