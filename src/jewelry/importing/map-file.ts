/** Applies the operator's mapping to a jewelry file, and decides what its columns are. */
import { constantColumn, createResolver, UNFIT } from '../../feeds/mapping/apply-mapping.ts'
import {
  type ColumnRule,
  foldCell,
  type OwnMapping,
  refuseFaults,
  valueFault,
} from '../../feeds/mapping/mapping-file.ts'
import type { FieldError } from '../../lib/refusal.ts'
import { mapInTurns, type Turns } from '../../lib/turns.ts'
import { type ColumnMeaning, nameStockNumber } from './columns.ts'
import { JEWELRY_MAPPING } from './jewelry-fields.ts'
import { meaningsOf } from './meanings.ts'
import type { FileRow, JewelryFile } from './reading/kept-rows.ts'

/** A file whose cells are translated, with the constants of the mapping as its first columns. */
export interface MappedFile extends JewelryFile {
  /** What each column is; those without a meaning are not used. */
  meanings: Map<string, ColumnMeaning>
  /** The entries of the mapping, by the column. */
  rules: ReadonlyMap<string, ColumnRule>
  /** The values of constant columns. */
  constants: ReadonlyMap<string, string>
}

export async function mapFile(
  read: JewelryFile,
  own: OwnMapping,
  { isSaved, turns }: { isSaved: boolean; turns: Turns },
): Promise<MappedFile> {
  const rules = rulesOf(read.columns, own, isSaved)
  const constants = new Map(
    [...own.constants].map(([field, value]) => [constantColumn(field), value] as const),
  )
  const rows = await mapInTurns(turns, read.rows, (row) => translated(row, rules, constants))
  const columns = [...constants.keys(), ...read.columns]
  const file = { ...read, columns, rows }
  const meanings = meaningsOf(file)
  for (const field of own.constants.keys()) {
    meanings.set(constantColumn(field), field as ColumnMeaning)
  }
  for (const [column, { field }] of rules) {
    if (field === null) meanings.delete(column)
    else if (field !== undefined) meanings.set(column, field as ColumnMeaning)
  }
  nameStockNumber(meanings, (column) => rules.get(column)?.field !== undefined)
  checkMeanings(meanings, rules, own)
  return { ...file, meanings, rules, constants }
}

function rulesOf(
  columns: readonly string[],
  own: OwnMapping,
  isSaved: boolean,
): Map<string, ColumnRule> {
  const resolver = createResolver(own, columns)
  const rules = new Map<string, ColumnRule>()
  for (const [at, column] of columns.entries()) {
    const rule = resolver.ruleOf(column, at)
    if (rule) rules.set(column, rule)
  }
  if (!isSaved) refuseFaults(UNFIT, resolver.missing())
  return rules
}

function translated(
  row: FileRow,
  rules: ReadonlyMap<string, ColumnRule>,
  constants: ReadonlyMap<string, string>,
): FileRow {
  const cells = new Map([...constants, ...row.cells])
  for (const [column, { values }] of rules) {
    if (values.size === 0) continue
    const text = values.get(foldCell(row.cells.get(column) ?? ''))
    if (text === '') cells.delete(column)
    else if (text !== undefined) cells.set(column, text)
  }
  return { ...row, cells, ownCells: row.cells }
}

function checkMeanings(
  meanings: ReadonlyMap<string, ColumnMeaning>,
  rules: ReadonlyMap<string, ColumnRule>,
  { constants }: OwnMapping,
): void {
  const errors: FieldError[] = []
  for (const [column, { field, values }] of rules) {
    const refuse = (message: string) => errors.push({ field: `mapping.${column}`, message })
    if (typeof field === 'string' && constants.has(field)) {
      refuse(`${field} has a constant and this column; leave one of them out`)
    }
    const meaning = meanings.get(column)
    if (meaning === undefined) {
      if (values.size > 0) refuse('has translations, but is not used; give it a field')
      continue
    }
    for (const [from, to] of values) {
      const fault = valueFault(meaning, to, JEWELRY_MAPPING)
      if (fault) refuse(`translates ${JSON.stringify(from)} to ${fault}`)
    }
  }
  refuseFaults(UNFIT, errors)
}
