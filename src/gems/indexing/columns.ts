import {
  type ColumnSpec,
  type Dictionary,
  encode,
  type RowValues,
  type TableSpec,
} from '../../index/index.ts'
import { listColumn, type PriceList } from '../../pricing/price-list.ts'
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
export interface GemColumns {
  readonly spec: TableSpec
  /** The select list: the id, then one expression per source. */
  readonly select: string
  /** The name of the column that each expression of the select list is for. */
  readonly sources: readonly string[]
  /** How the values of the select list after the id are read. */
  readonly printed: readonly PrintedColumn[]
  /** The numbers that follow from others. They are the last columns of the table. */
  readonly derived: readonly DerivedNumber[]
  /** Makes a row from the printed values of the select list. */
  readonly read: (
    printed: readonly (string | null)[],
    dictionaries: Record<string, Dictionary>,
  ) => { id: number; values: RowValues }
}

export interface PrintedColumn {
  readonly spec: ColumnSpec
  readonly sql: string
  /** Numbers are stored as whole numbers of this decimal. */
  readonly decimals: number
}

/** A number that is computed from two others when a row is read. */
interface DerivedNumber {
  readonly name: string
  readonly of: readonly [column: string, other: string]
  readonly compute: (value: number, other: number | null) => number | null
}

const MONEY_DECIMALS = 2
const WHOLESALE = listColumn('wholesale_price', 'default')
const WHOLESALE_US = listColumn('wholesale_price', 'us')

/** The reference list price, from which a merchant with own terms has its own discounts. */
export const LIST_PRICE = 'list_price'

const DERIVED: readonly DerivedNumber[] = [
  perCarat('default'),
  perCarat('us'),
  offRap('default'),
  offRap('us'),
]

function perCarat(list: PriceList): DerivedNumber {
  return {
    name: listColumn('price_per_carat', list),
    of: [listColumn('wholesale_price', list), 'weight'],
    // Whole US cents, rounded down; the number that a caller sees is close to it.
    compute: (cents, weight) => Math.floor((cents * 10 ** WEIGHT_DECIMALS) / Number(weight)),
  }
}

function offRap(list: PriceList): DerivedNumber {
  return {
    name: listColumn('off_rap_percentage', list),
    of: [listColumn('wholesale_price', list), LIST_PRICE],
    compute: offRapHundredths,
  }
}

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

/** Codes count the values of a column from 1: 'mined' is the first type, 't' a flag's second. */
export const MINED_CODE = 1
export const TRUE_CODE = 2

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
  const at = (name: string) => columns.findIndex((column) => column.spec.name === name)
  const derivedFrom = DERIVED.map(({ of, compute }) => {
    const [value, other] = of.map(at)
    return (values: RowValues) => compute(Number(values[value]), numberOrNull(values[other]))
  })
  return {
    spec: {
      primary: WHOLESALE,
      columns: [
        ...columns.map((column) => column.spec),
        ...DERIVED.map(
          ({ name }) => ({ kind: 'number', name, ranged: true, sorted: true }) as const,
        ),
      ],
    },
    select: ['id', ...columns.map((column) => column.sql)].join(', '),
    sources: ['id', ...columns.map((column) => column.spec.name)],
    printed: columns,
    derived: DERIVED,
    read(printed, dictionaries) {
      const values: RowValues = columns.map((column, i) =>
        readValue(column, printed[i + 1], dictionaries),
      )
      values.push(...derivedFrom.map((derive) => derive(values)))
      return { id: Number(printed[0]), values }
    },
  }
}

function numberOrNull(value: number | string | null): number | null {
  return value === null ? null : Number(value)
}

function* sourceColumns(fields: FieldTable): Generator<PrintedColumn> {
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
  const held: ColumnSpec = { kind: 'sparse', name: 'hold_expires_on' }
  yield { spec: held, sql: microseconds(STONE_HELD_UNTIL), decimals: 0 }
  const visibility: ColumnSpec = { kind: 'code', name: VISIBILITY, values: VISIBILITIES }
  yield { spec: visibility, sql: VISIBILITY_SQL, decimals: 0 }
}

function* columnsOf(name: string, field: Field): Generator<PrintedColumn> {
  if (field.kind === 'text') yield { spec: { kind: 'text', name }, sql: name, decimals: 0 }
  if (field.kind === 'oneOf') {
    yield { spec: { kind: 'code', name, values: field.values }, sql: name, decimals: 0 }
  }
  if (field.kind === 'flag') {
    // PostgreSQL prints booleans as these letters.
    const spec: ColumnSpec = { kind: 'code', name, values: ['f', 't'] }
    yield { spec, sql: field.sql ? `(${field.sql})` : name, decimals: 0 }
  }
  if (field.kind === 'timestamp') {
    const ranged = field.since !== undefined
    const spec: ColumnSpec = { kind: 'number', name, ranged, sorted: field.sort }
    yield { spec, sql: microseconds(field.sql ?? name), decimals: 0 }
  }
  if (field.kind === 'range') {
    const { decimals, bounds, sort: sorted } = field
    // A range that ends at a number has it, too, so that its rows are those below the next one.
    const cuts = field.cuts?.flatMap((cut) => [0, 1].map((next) => scaledCut(cut, decimals) + next))
    // The other bound of delivery_days is a field of its own, because callers may sort by it.
    const column = bounds ? bounds.min : name
    const spec: ColumnSpec = { kind: 'number', name: column, ranged: true, cuts, sorted }
    yield { spec, sql: column, decimals }
  }
}

function scaledCut(cut: number, decimals: number): number {
  return Math.round(cut * 10 ** decimals)
}

/** `date_part` computes in doubles, which are exact to the microsecond until the year 2106. */
function microseconds(timestamp: string): string {
  return `(date_part('epoch', ${timestamp}) * 1000000)::bigint`
}

function readValue(
  { spec, decimals }: PrintedColumn,
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
