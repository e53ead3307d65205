/**
 * Reads the sheets of a workbook, the tables of a page or the files of a ZIP as one list of stones.
 * Their columns may come in another order, and one may have columns that another lacks; but the
 * columns that decide what a stone is and costs must be the same.
 */
import { Refusal } from '../../lib/refusal.ts'
import { readGrowthSign } from '../values/growth.ts'
import { shapeOfHeading } from '../values/shape.ts'
import { CELL_SEPARATOR, putCell, type RawRow, type RowBatches } from './raw-row.ts'
import { noHeader } from './refusals.ts'
import {
  closingAfter,
  closingList,
  type NoHeader,
  type StoneList,
  type TableOptions,
} from './stone-list.ts'

/** A sheet, a table or a file that may hold stones. */
export interface ListSource {
  name: string
  isHidden?: boolean
  /** Opens it; a probe reads only the columns, and is closed again. */
  open: (isProbe: boolean) => Promise<StoneList | NoHeader>
}

interface JoinOptions extends TableOptions {
  noun: 'sheet' | 'table' | 'file'
  /** What holds the sources, for messages: `an Excel workbook`. */
  container: string
  /** Whether a part with other columns is left out with a note, or refuses the whole file. */
  whenDifferent: 'leave out' | 'refuse'
  close: () => Promise<void>
}

interface Probe {
  source: ShapedSource
  columns: string[]
  titles: string[]
}

/** More columns than this in all parts together are ignored. */
const JOINED_COLUMNS_MAX = 4_000
const NOTES_MAX = 20

export async function joinLists(sources: ListSource[], options: JoinOptions): Promise<StoneList> {
  try {
    const given = withShapes(named(sources, options), options)
    const { chosen, notes } = await chooseSources(given, options)
    return await openChosen(chosen, shortened(notes), options)
  } catch (error) {
    await options.close()
    throw error
  }
}

/** The sheet that the operator named, hidden or not. The files of a ZIP are not sheets. */
function named(sources: ListSource[], { sheet, noun, container }: JoinOptions): ListSource[] {
  if (sheet === undefined || noun === 'file') return sources
  const folded = (name: string) => name.trim().toLowerCase()
  const found = sources.find(({ name }) => folded(name) === folded(sheet))
  if (found) return [{ ...found, isHidden: false }]
  const names = sources.slice(0, NOTES_MAX).map(({ name }) => JSON.stringify(name))
  throw new Refusal(
    'invalid_request',
    `There is no ${noun} ${JSON.stringify(sheet)} in ${container}, which has ${names.join(', ')}.`,
  )
}

/** A part whose name may be the shape of all its stones. */
interface ShapedSource extends ListSource {
  namedShape: string | undefined
}

/** Files are named by anything; only beside files of other shapes is theirs a shape. */
function withShapes(sources: ListSource[], { noun }: JoinOptions): ShapedSource[] {
  const shaped = sources.map((source): ShapedSource => {
    return { ...source, namedShape: shapeOfHeading(source.name.replace(/\.[a-z]{3,5}$/i, '')) }
  })
  const isShape = noun !== 'file' || new Set(shaped.map(({ namedShape }) => namedShape)).size > 1
  return isShape ? shaped : shaped.map((source) => ({ ...source, namedShape: undefined }))
}

async function chooseSources(sources: ShapedSource[], options: JoinOptions) {
  const notes: string[] = []
  const probes: Probe[] = []
  let firstRow: RawRow | undefined
  const label = (source: ListSource) => labelOf(source, options)
  for (const source of sources) {
    if (source.isHidden) {
      notes.push(`The ${label(source)} is hidden and was left out.`)
      continue
    }
    const opened = await source.open(true)
    if (isList(opened)) {
      probes.push({ source, columns: [...opened.columns], titles: opened.titles })
      await opened.close()
    } else if (opened.firstRow) {
      firstRow ??= opened.firstRow
      notes.push(`The ${label(source)} has no header row and was left out.`)
    }
  }
  const complete = probes.filter((probe) => missingOf(probe, options).length === 0)
  const candidates = complete.length > 0 ? complete : probes
  if (candidates.length === 0) throw noHeader(options.container, firstRow, options.names, notes)
  for (const probe of probes) {
    const { source } = probe
    if (complete.length === 0 || complete.includes(probe)) continue
    const missing = missingOf(probe, options).join(', ')
    notes.push(`The ${label(source)} has no column for ${missing} and was left out.`)
  }
  const [base, ...others] = candidates
  const chosen = [base]
  for (const probe of others) {
    const difference = differenceOf(base, probe, options)
    if (difference === undefined) chosen.push(probe)
    else if (options.whenDifferent === 'refuse') throw different(base, probe, difference, options)
    else notes.push(`The ${label(probe.source)} was left out: ${difference}. Send it separately.`)
  }
  return { chosen, notes }
}

async function openChosen(chosen: Probe[], notes: string[], { close, ...options }: JoinOptions) {
  const columns = [...chosen[0].columns]
  if (chosen.length === 1) {
    const list = await chosen[0].source.open(false)
    if (!isList(list)) throw noHeader(options.container, undefined, options.names, notes)
    const { name, namedShape } = chosen[0].source
    list.titles.unshift(name)
    const rows = namedShape === undefined ? list.rows : shapedRows(list.rows, namedShape)
    return closingList({ ...list, rows, notes: [...notes, ...list.notes] }, close)
  }
  const names = chosen.map(({ source }) => JSON.stringify(source.name)).join(', ')
  const all = [`The ${options.noun}s ${names} were read as one list.`, ...notes]
  const damages: string[] = []
  const rows = closingAfter(joinedRows(chosen, columns, { noun: options.noun, damages }), close)
  // The name of a part goes with each of its rows, so its titles have nothing to add to that.
  const titles = chosen.flatMap((probe) => (readGrowthSign(probe.source.name) ? [] : probe.titles))
  return { columns, rows, notes: all, titles, damage: () => damages[0], close }
}

async function* shapedRows(batches: RowBatches, namedShape: string): RowBatches {
  for await (const batch of batches) {
    for (const row of batch) row.namedShape ??= namedShape
    yield batch
  }
}

async function* joinedRows(
  chosen: Probe[],
  columns: string[],
  { noun, damages }: { noun: string; damages: string[] },
): RowBatches {
  const positions = new Map(columns.map((name, index) => [name, index]))
  for (const { source } of chosen) {
    const list = await source.open(false)
    if (!isList(list)) continue
    const part = `${noun} ${source.name}`
    const at: number[] = []
    for await (const batch of list.rows) {
      extendPositions(at, list.columns, columns, positions)
      yield batch.map((row) => moved(row, at, { part, namedShape: source.namedShape }))
    }
    const damage = list.damage()
    if (damage !== undefined) damages.push(`${source.name}: ${damage}`)
  }
}

/** Continues the list of where each column of a part is among the joined ones; -1 for nowhere. */
function extendPositions(
  at: number[],
  from: readonly string[],
  columns: string[],
  positions: Map<string, number>,
): void {
  for (let index = at.length; index < from.length; index++) {
    let position = positions.get(from[index])
    if (position === undefined) {
      position = columns.length < JOINED_COLUMNS_MAX ? columns.push(from[index]) - 1 : -1
      positions.set(from[index], position)
    }
    at.push(position)
  }
}

function moved(
  row: RawRow,
  at: readonly number[],
  { part, namedShape }: Pick<RawRow, 'part' | 'namedShape'>,
): RawRow {
  if (row.unreadable !== undefined) return { ...row, part }
  const cells: string[] = []
  for (const [index, cell] of row.cells.entries()) {
    const position = at[index] ?? -1
    if (position !== -1) putCell(cells, position, cell)
  }
  const joined: RawRow = { row: row.row, raw: cells.join(CELL_SEPARATOR), cells, part }
  if (row.takenBy !== undefined) joined.takenBy = row.takenBy
  const shape = row.namedShape ?? namedShape
  if (shape !== undefined) joined.namedShape = shape
  return joined
}

export function isList(opened: StoneList | NoHeader): opened is StoneList {
  return 'columns' in opened
}

/** Returns how the decisive columns of two parts differ, or undefined when they agree. */
function differenceOf(base: Probe, other: Probe, options: TableOptions): string | undefined {
  const missingIn = (name: string, { columns, source }: Probe) => {
    const [field] = fieldsOf(name, options)
    if (field === undefined || !options.names.decisive.includes(field)) return false
    const isNamed = field === 'shape' && source.namedShape !== undefined
    return !isNamed && !columns.includes(name)
  }
  const lacking = base.columns.filter((name) => missingIn(name, other))
  const extra = other.columns.filter((name) => missingIn(name, base))
  if (lacking.length + extra.length === 0) return undefined
  const parts = [
    lacking.length > 0 ? `it has no column ${lacking.slice(0, 5).join(', ')}` : '',
    extra.length > 0 ? `it has a column ${extra.slice(0, 5).join(', ')} that the first lacks` : '',
  ]
  return parts.filter((part) => part !== '').join(' and ')
}

/** What a list lacks, by the names of its columns. */
function missingOf({ columns, source }: Probe, options: TableOptions): string[] {
  const named = new Set(columns.flatMap((name) => fieldsOf(name, options)))
  if (source.namedShape !== undefined) named.add('shape')
  return options.names.needed
    .filter(([, fields]) => !fields.some((field) => named.has(field)))
    .map(([what]) => what)
}

/** What the name of a column may mean, of which the mapping knows more than we. */
function fieldsOf(name: string, { mapped, names }: TableOptions): readonly string[] {
  const field = mapped.get(name)
  return field ? [field] : names.fieldsOf(name)
}

function labelOf({ name }: ListSource, { noun }: JoinOptions): string {
  return `${noun} ${JSON.stringify(name)}`
}

function different(base: Probe, other: Probe, difference: string, options: JoinOptions): Refusal {
  const names = `${labelOf(base.source, options)} and ${labelOf(other.source, options)}`
  const detail =
    `This is ${options.container}. Its columns differ between ${names}: in the second, ` +
    `${difference}. Import the files one by one.`
  return new Refusal('invalid_request', detail)
}

function shortened(notes: string[]): string[] {
  if (notes.length <= NOTES_MAX) return notes
  return [...notes.slice(0, NOTES_MAX), `${notes.length - NOTES_MAX} more parts were left out.`]
}
