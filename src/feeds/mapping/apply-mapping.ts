import { findNearestName } from '../../lib/nearest-name.ts'
import type { FieldError } from '../../lib/refusal.ts'
import { isPosition } from '../reading/header/find-header.ts'
import type { Feed } from '../reading/open-feed.ts'
import { putCell, type RawRow, type RowBatches } from '../reading/raw-row.ts'
import type { FieldName } from './fields.ts'
import { foldName } from './header-names.ts'
import { type ColumnDecision, DECIDED } from './mapping.ts'
import { type ColumnRule, foldCell, hintOf, type OwnMapping, refuseFaults } from './mapping-file.ts'

/** A feed whose cells are translated, with the constants of the mapping as its first columns. */
export interface MappedFeed extends Feed {
  /** What the mapping decides, by the position of the column; it grows with the columns. */
  decisions: ReadonlyMap<number, ColumnDecision>
  /** The entries of the mapping, by the position of the column. */
  ruleAt: ReadonlyMap<number, ColumnRule>
  rules: string
  /** Refuses columns of the mapping that the file does not have, once it is read. */
  checkColumns: () => void
}

interface MappingUse {
  /** A remembered mapping may name columns that this file lacks. */
  isSaved: boolean
}

/** The column of a constant, which is not in the file, as reports name it. */
export function constantColumn(field: string): string {
  return `${field} (constant)`
}

/** Applies the operator's mapping to an open feed. */
export function applyMapping(feed: Feed, own: OwnMapping, { isSaved }: MappingUse): MappedFeed {
  const constants = [...own.constants]
  const columns = constants.map(([field]) => constantColumn(field))
  const values = constants.map(([, value]) => value)
  const decisions = new Map<number, ColumnDecision>()
  for (const [index, [field, constant]] of constants.entries()) {
    const reason = `every stone has ${JSON.stringify(constant)}, as the mapping says`
    decisions.set(index, { field: field as FieldName, reason, constant })
  }
  const translations = new Map<number, ColumnRule['values']>()
  const ruleAt = new Map<number, ColumnRule>()
  const resolver = createResolver(own, feed.columns)

  /** Adds the columns that the file has by now: a JSON key may first occur in the last stone. */
  function takeColumns(): void {
    for (let at = columns.length - constants.length; at < feed.columns.length; at++) {
      const index = columns.push(feed.columns[at]) - 1
      const name = feed.columns[at]
      const rule = resolver.ruleOf(name, at)
      if (!rule) continue
      // A later file may have its columns in another order.
      const isPlaced = isSaved && !own.columns.has(name)
      const decision = decisionOf(rule, isPlaced)
      if (decision) decisions.set(index, decision)
      ruleAt.set(index, rule)
      if (rule.values.size > 0) translations.set(index, rule.values)
    }
  }

  function apply(row: RawRow): void {
    if (row.unreadable !== undefined) return
    if (constants.length === 0 && translations.size === 0) return
    const cells = [...values, ...row.cells]
    for (const [at, words] of translations) {
      const translated = words.get(foldCell(cells[at] ?? ''))
      if (translated === undefined) continue
      putCell(cells, at, translated)
    }
    row.ownCells = row.cells
    row.cells = cells
  }

  async function* rows(): RowBatches {
    let applied = feed.sample.length
    for await (const batch of feed.rows()) {
      takeColumns()
      for (const row of batch) {
        if (applied > 0) applied--
        else apply(row)
      }
      yield batch
    }
  }

  takeColumns()
  for (const row of feed.sample) apply(row)
  const checkColumns = () => {
    if (!isSaved) refuseFaults(UNFIT, resolver.missing())
  }
  if (feed.format === 'delimited') checkColumns()
  refuseFaults(UNFIT, doubleFields(columns, decisions))
  const rules = rulesOf(own)
  return { ...feed, columns, rows, decisions, ruleAt, rules, checkColumns }
}

export const UNFIT = 'The mapping does not fit the file.'

/** Finds the rule of a column: by its name first, then by its position. */
export function createResolver({ columns }: OwnMapping, names: readonly string[]) {
  const found = new Set<string>()
  const take = (key: string) => {
    const rule = columns.get(key)
    if (rule) found.add(key)
    return rule
  }
  return {
    ruleOf(name: string, at: number) {
      const position = String(at + 1)
      return take(name) ?? (names.includes(position) ? undefined : take(position))
    },
    /** Says of each column of the mapping that was not found what is wrong with it. */
    missing: (): FieldError[] =>
      [...columns.keys()]
        .filter((key) => !found.has(key))
        .map((key) => ({ field: `mapping.${key}`, message: missingColumn(key, names) })),
  }
}

function decisionOf(
  { field, isIgnored }: ColumnRule,
  isPlaced: boolean,
): ColumnDecision | undefined {
  if (isIgnored) return { field: null, reason: DECIDED.ignored }
  if (field === null) return { field, reason: DECIDED.unused }
  if (field === undefined) return undefined
  return { field: field as FieldName, reason: isPlaced ? DECIDED.placed : DECIDED.chosen }
}

const COLUMNS_SHOWN = 12

function missingColumn(key: string, columns: readonly string[]): string {
  if (isPosition(key)) {
    const name = columns[Number(key) - 1]
    if (name === undefined) {
      return `there is no column ${key}: the file has ${columns.length} columns`
    }
    return `column ${key} is ${JSON.stringify(name)}, which the mapping has by its name as well`
  }
  const folded = foldName(key)
  const alike = columns.find((name) => folded !== '' && foldName(name) === folded)
  // Names are compared by their Latin letters; others would all seem alike.
  const latin = /[a-z]/i.test(key) ? columns.filter((name) => /[a-z]/i.test(name)) : []
  const nearest = alike ?? findNearestName(key, latin)
  if (nearest) return `the file has no such column${hintOf(JSON.stringify(nearest))}`
  const shown = columns.slice(0, COLUMNS_SHOWN).map((name) => JSON.stringify(name))
  const more = columns.length > shown.length ? ', …' : ''
  return `the file has no such column; it has ${shown.join(', ')}${more}`
}

function doubleFields(
  columns: readonly string[],
  decisions: ReadonlyMap<number, ColumnDecision>,
): FieldError[] {
  const errors: FieldError[] = []
  const first = new Map<FieldName, number>()
  for (const [at, { field }] of decisions) {
    if (field === null) continue
    const other = first.get(field)
    if (other === undefined) first.set(field, at)
    else {
      const both = `${JSON.stringify(columns[other])} and ${JSON.stringify(columns[at])}`
      errors.push({ field: `mapping.${columns[at]}`, message: `both ${both} are ${field}` })
    }
  }
  return errors
}

/** Everything of a mapping that changes cells, in an order that does not depend on the file's. */
function rulesOf({ columns, constants }: OwnMapping): string {
  const constant = [...constants].map((each) => JSON.stringify(each))
  const changing = [...columns].flatMap(([key, { values, isIgnored }]) => {
    if (values.size === 0 && !isIgnored) return []
    const words = [...values].map((each) => JSON.stringify(each))
    return [JSON.stringify([key, isIgnored, words.toSorted()])]
  })
  return [...constant.toSorted(), ...changing.toSorted()].join('\n')
}
