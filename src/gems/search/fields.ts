/**
 * A search over gems is declared as a table of fields: index columns, request schema, predicates
 * and the list of sort columns are all derived from it. A field has the name of its filter.
 */
export type FieldTable = Readonly<Record<string, Field>>

export type Field =
  | TextField
  | OneOfField
  | PairsField
  | RangeField
  | PriceField
  | FlagField
  | TimestampField

/** An array of exact texts. */
interface TextField {
  readonly kind: 'text'
  readonly nullable?: boolean
}

/** An array of values out of a list. */
export interface OneOfField {
  readonly kind: 'oneOf'
  /** In sorting order; 'open' when the values are those that occur. */
  readonly values: readonly string[] | 'open'
  /** The pattern that a value of an open list has to match. */
  readonly pattern?: string
  /** Whether null in the array selects stones without the attribute. */
  readonly nullable?: boolean
  /** Whether the word `None` means null as well. */
  readonly noneWord?: boolean
  /** Whether upper and lower case are the same in the filter: suppliers choose their words. */
  readonly anyCase?: boolean
  /** Whether the list is a scale, best first, on which a neighbour is one step away. */
  readonly graded?: boolean
  /** Values that are allowed only together with a flag. */
  readonly onlyWith?: { readonly values: readonly string[]; readonly flag: string }
  readonly sort?: boolean
  /** Whether the field only sorts, and has no filter. */
  readonly sortOnly?: boolean
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
  /** Numbers at which many ranges begin or end, ascending: searches by those are fastest. */
  readonly cuts?: readonly number[]
  readonly sort?: boolean
  /** Whether the field only sorts, and has no filter. */
  readonly sortOnly?: boolean
  /** The columns that the two bounds apply to, when they are not the field's own. */
  readonly bounds?: { readonly min: string; readonly max: string }
}

/** `_min` and `_max` of a number that depends on the caller's price list, margins or currency. */
export interface PriceField {
  readonly kind: 'price'
  readonly price: 'retail' | 'wholesale' | 'per_carat' | 'off_list'
  readonly sort?: boolean
  /** Whether the field only sorts, and has no filter. */
  readonly sortOnly?: boolean
}

export interface FlagField {
  readonly kind: 'flag'
  /** The flag in SQL, when it is not a column of the table. */
  readonly sql?: string
  /** The value that applies when the request does not have the filter. */
  readonly absent?: boolean
}

/** A timestamp; `since` names the filter that selects stones from a moment on. */
interface TimestampField {
  readonly kind: 'timestamp'
  readonly sort?: boolean
  readonly since?: string
  /** The expression in SQL, where it is not the column of the field's name. */
  readonly sql?: string
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
  return Object.keys(fields).filter((name) => {
    const field = fields[name]
    return field.kind === 'oneOf' && !field.sortOnly
  })
}

/** A table of fields with what every search looks up in it, worked out once. */
export interface SearchTable {
  readonly fields: FieldTable
  readonly names: readonly string[]
  /** The positions of the fields that apply without a filter of the request. */
  readonly alwaysApplied: readonly number[]
  /** The position of the field that a filter is about. */
  readonly fieldByFilter: ReadonlyMap<string, number>
  readonly facets: readonly string[]
}

export function searchTableOf(fields: FieldTable): SearchTable {
  const names = Object.keys(fields)
  const alwaysApplied: number[] = []
  const fieldByFilter = new Map<string, number>()
  for (const [position, name] of names.entries()) {
    const field = fields[name]
    for (const filter of filtersOf(name, field)) fieldByFilter.set(filter, position)
    if (field.kind === 'flag' && field.absent !== undefined) alwaysApplied.push(position)
  }
  return { fields, names, alwaysApplied, fieldByFilter, facets: facetFields(fields) }
}

/** The names of the filters of a field. */
function filtersOf(name: string, field: Field): string[] {
  if (field.kind === 'timestamp') return field.since === undefined ? [] : [field.since]
  if ('sortOnly' in field && field.sortOnly) return []
  const isRange = field.kind === 'range' || field.kind === 'price'
  return isRange ? [`${name}_min`, `${name}_max`] : [name]
}

/**
 * The fields that the filters are about, and those that always apply, in the order of the table. A
 * table has some fifty fields and a request a handful of filters, so the fields are not tried one
 * by one.
 */
export function fieldsFor(
  { names, alwaysApplied, fieldByFilter }: SearchTable,
  filters: Readonly<Record<string, unknown>>,
): string[] {
  const positions = new Set(alwaysApplied)
  for (const filter of Object.keys(filters)) {
    const position = fieldByFilter.get(filter)
    if (position !== undefined) positions.add(position)
  }
  return [...positions].sort((a, b) => a - b).map((position) => names[position])
}
