import {
  type ColumnSpec,
  type Dictionary,
  encode,
  type RowValues,
  type TableSpec,
} from '../../index/index.ts'
import { WEIGHT_DECIMALS } from '../../pricing/price-rules.ts'
import { offRapHundredths } from '../../pricing/prices.ts'
import type { Field, FieldTable } from '../search/fields.ts'

/**
 * The index columns of a table of fields, what is read from PostgreSQL for each, and how a line of
 * its COPY output becomes a row of the index.
 */
export interface GemColumns {
  readonly spec: TableSpec
  /** The select list: the id, then one expression per source. */
  readonly select: string
  /** What each expression of the select list is, by the name of its column. */
  readonly sources: readonly string[]
  /** A row from the printed values of the select list. */
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
/** Numbers that follow from others, computed when a row arrives. */
const DERIVED = [
  'price_per_carat',
  'price_per_carat_us',
  'off_rap_percentage',
  'off_rap_percentage_us',
] as const

export function gemColumnsOf(fields: FieldTable): GemColumns {
  const columns = [...sourceColumns(fields)]
  const derived = DERIVED.map(
    (name): ColumnSpec => ({ kind: 'number', name, ranged: true, sorted: true }),
  )
  const at = (name: string) => columns.findIndex((column) => column.spec.name === name)
  const [weight, wholesale, wholesaleUs] = [
    at('weight'),
    at('wholesale_price'),
    at('wholesale_price_us'),
  ]
  return {
    spec: {
      primary: 'wholesale_price',
      columns: [...columns.map((column) => column.spec), ...derived],
    },
    // The list price is read for the derived columns only.
    select: ['id', ...columns.map((column) => column.sql), 'list_price'].join(', '),
    sources: ['id', ...columns.map((column) => column.spec.name), 'list_price'],
    read(printed, dictionaries) {
      const values: RowValues = columns.map((column, i) =>
        readValue(column, printed[i + 1], dictionaries),
      )
      const carats = Number(values[weight])
      const cents = Number(values[wholesale])
      const centsUs = Number(values[wholesaleUs])
      const listPrice = scaled(printed[columns.length + 1], MONEY_DECIMALS)
      values.push(
        floorPerCarat(cents, carats),
        floorPerCarat(centsUs, carats),
        offRapHundredths(cents, listPrice),
        offRapHundredths(centsUs, listPrice),
      )
      return { id: Number(printed[0]), values }
    },
  }
}

/** Whole cents per carat in US dollars, cut off; the caller's own number lies near it. */
function floorPerCarat(cents: number, weightScaled: number): number {
  return Math.floor((cents * 10 ** WEIGHT_DECIMALS) / weightScaled)
}

function* sourceColumns(fields: FieldTable): Generator<Column> {
  for (const [name, field] of Object.entries(fields)) yield* columnsOf(name, field)
  const decimals = MONEY_DECIMALS
  const [base, us] = ['wholesale_price', 'wholesale_price_us']
  yield { spec: { kind: 'number', name: base, ranged: true }, sql: base, decimals }
  yield { spec: { kind: 'number', name: us, ranged: true, follows: true }, sql: us, decimals }
  yield { spec: { kind: 'sparse', name: 'hold_expires_on' }, sql: microseconds('hold_expires_on') }
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
  if (field.kind === 'moment') {
    const spec: ColumnSpec = { kind: 'number', name, ranged: true, sorted: field.sort }
    yield { spec, sql: microseconds(name), decimals: 0 }
  }
  if (field.kind === 'range') {
    const { decimals, bounds, sort: sorted } = field
    // The other bound of delivery_days is a field of its own, because one may sort by it.
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

/** Exact: the digits are few enough that the product lies next to the integer meant. */
function scaled(digits: string | null, decimals: number): number | null {
  return digits === null ? null : Math.round(Number(digits) * 10 ** decimals)
}
