import {
  type ColumnSpec,
  type Dictionary,
  encode,
  type RowValues,
  type TableSpec,
} from '../../index/index.ts'
import { listColumn } from '../../pricing/price-list.ts'
import { WEIGHT_DECIMALS } from '../../pricing/price-rules.ts'
import { offRapHundredths } from '../../pricing/prices.ts'
import { IS_TREATED, ON_SALE } from '../gem-life.ts'
import { LEADS_SOMEWHERE, leadsIn, STONE_HELD_UNTIL, WITH_OFFERS } from '../offer-store.ts'
import { DIAMOND_FIELDS_V3, GEMSTONE_FIELDS } from '../search/field-tables.ts'
import type { Field, FieldTable } from '../search/fields.ts'

/**
 * The index columns of a table of fields, what is selected from PostgreSQL for each, and how the
 * printed values become a row of the index.
 */
interface GemColumns {
  readonly spec: TableSpec
  /** The select list: the id, then one expression per source. */
  readonly select: string
  /** The name of the column that each expression of the select list is for. */
  readonly sources: readonly string[]
  /** Makes a row from the printed values of the select list. */
  readonly read: (
    printed: readonly (string | null)[],
    dictionaries: Record<string, Dictionary>,
  ) => { id: number; values: RowValues }
}

interface Column {
  spec: ColumnSpec
  sql: string
  decimals?: number
}

const MONEY_DECIMALS = 2
/** Numbers that are computed from other columns when a row is read, in both price lists. */
const DERIVED = [
  listColumn('price_per_carat', 'default'),
  listColumn('price_per_carat', 'us'),
  listColumn('off_rap_percentage', 'default'),
  listColumn('off_rap_percentage', 'us'),
]
const WHOLESALE = listColumn('wholesale_price', 'default')
const WHOLESALE_US = listColumn('wholesale_price', 'us')

/** The reference list price, from which a merchant with own terms has its own discounts. */
export const LIST_PRICE = 'list_price'

/**
 * What a search leaves out unless it is asked for, as one column, so that it costs one predicate:
 * treated diamonds, and offers that lead in the other price list. Null for nearly all stones; see
 * gems/search/visibility.ts.
 */
export const VISIBILITY = 'visibility'
export const VISIBILITIES = ['default', 'us', 'treated', 'treated default', 'treated us'] as const

/** `concat_ws` leaves nulls out; a stone with neither part has an empty text. */
const VISIBILITY_SQL = `nullif(concat_ws(' ', case when ${IS_TREATED} then 'treated' end,
  case when not ${leadsIn('us')} then 'default' when not ${leadsIn('default')} then 'us' end), '')`

/** One index over a part of the gem table. */
export interface IndexTable {
  readonly columns: GemColumns
  /** Which stones are in it, in SQL: `select … from gem left join offer … where …`. */
  readonly from: string
}

export const INDEX_TABLES = {
  diamond: indexTable('diamond', DIAMOND_FIELDS_V3),
  gemstone: indexTable('gemstone', GEMSTONE_FIELDS),
} as const

export type IndexName = keyof typeof INDEX_TABLES

function indexTable(productType: string, fields: FieldTable): IndexTable {
  return {
    columns: gemColumnsOf(fields),
    from: `${WITH_OFFERS} where product_type = '${productType}' and ${ON_SALE}
      and ${LEADS_SOMEWHERE}`,
  }
}

export function gemColumnsOf(fields: FieldTable): GemColumns {
  const columns = [...sourceColumns(fields)]
  const derived = DERIVED.map(
    (name): ColumnSpec => ({ kind: 'number', name, ranged: true, sorted: true }),
  )
  const at = (name: string) => columns.findIndex((column) => column.spec.name === name)
  const [weight, wholesale, wholesaleUs] = [at('weight'), at(WHOLESALE), at(WHOLESALE_US)]
  const list = at(LIST_PRICE)
  return {
    spec: {
      primary: WHOLESALE,
      columns: [...columns.map((column) => column.spec), ...derived],
    },
    select: ['id', ...columns.map((column) => column.sql)].join(', '),
    sources: ['id', ...columns.map((column) => column.spec.name)],
    read(printed, dictionaries) {
      const values: RowValues = columns.map((column, i) =>
        readValue(column, printed[i + 1], dictionaries),
      )
      const weightScaled = Number(values[weight])
      const cents = Number(values[wholesale])
      const centsUs = Number(values[wholesaleUs])
      const listPrice = values[list] === null ? null : Number(values[list])
      values.push(
        floorPerCarat(cents, weightScaled),
        floorPerCarat(centsUs, weightScaled),
        offRapHundredths(cents, listPrice),
        offRapHundredths(centsUs, listPrice),
      )
      return { id: Number(printed[0]), values }
    },
  }
}

/** Whole US cents per carat, rounded down; the number that a caller sees is close to it. */
function floorPerCarat(cents: number, weightScaled: number): number {
  return Math.floor((cents * 10 ** WEIGHT_DECIMALS) / weightScaled)
}

function* sourceColumns(fields: FieldTable): Generator<Column> {
  for (const [name, field] of Object.entries(fields)) yield* columnsOf(name, field)
  const decimals = MONEY_DECIMALS
  const us = {
    kind: 'number',
    name: WHOLESALE_US,
    ranged: true,
    sorted: true,
    follows: true,
  } as const
  yield { spec: { kind: 'number', name: WHOLESALE, ranged: true }, sql: WHOLESALE, decimals }
  yield { spec: us, sql: WHOLESALE_US, decimals }
  yield { spec: { kind: 'number', name: LIST_PRICE }, sql: LIST_PRICE, decimals }
  yield { spec: { kind: 'sparse', name: 'hold_expires_on' }, sql: microseconds(STONE_HELD_UNTIL) }
  yield { spec: { kind: 'code', name: VISIBILITY, values: VISIBILITIES }, sql: VISIBILITY_SQL }
}

function* columnsOf(name: string, field: Field): Generator<Column> {
  if (field.kind === 'text') yield { spec: { kind: 'text', name }, sql: name }
  if (field.kind === 'oneOf') {
    yield { spec: { kind: 'code', name, values: field.values, sorted: field.sort }, sql: name }
  }
  if (field.kind === 'flag') {
    // PostgreSQL prints booleans as these letters.
    const spec: ColumnSpec = { kind: 'code', name, values: ['f', 't'] }
    yield { spec, sql: field.sql ? `(${field.sql})` : name }
  }
  if (field.kind === 'timestamp') {
    const ranged = field.since !== undefined
    const spec: ColumnSpec = { kind: 'number', name, ranged, sorted: field.sort }
    yield { spec, sql: microseconds(field.sql ?? name), decimals: 0 }
  }
  if (field.kind === 'range') {
    const { decimals, bounds, sort: sorted } = field
    // The other bound of delivery_days is a field of its own, because callers may sort by it.
    const column = bounds ? bounds.min : name
    yield { spec: { kind: 'number', name: column, ranged: true, sorted }, sql: column, decimals }
  }
}

function microseconds(column: string): string {
  return `(extract(epoch from ${column}) * 1000000)::bigint`
}

function readValue(
  { spec, decimals = 0 }: Column,
  printed: string | null,
  dictionaries: Record<string, Dictionary>,
): number | string | null {
  if (spec.kind === 'code') return encode(dictionaries[spec.name], printed)
  return spec.kind === 'text' ? printed : scaled(printed, decimals)
}

/** Exact, because the digits are few: rounding the product gives the integer that is meant. */
function scaled(digits: string | null, decimals: number): number | null {
  return digits === null ? null : Math.round(Number(digits) * 10 ** decimals)
}
