import { type FieldError, Refusal } from '../../lib/refusal.ts'

/** A sheet of reference prices in US dollars per carat, of round stones (BR) or others (PS). */
export interface Sheet {
  shape: 'BR' | 'PS'
  /** ISO date. */
  dated_on: string
  cells: Cell[]
}

interface Cell {
  clarity: string
  color: string
  weight_min: number
  weight_max: number
  price_per_carat: number
}

interface Row extends Cell {
  line: number
  shape: Sheet['shape']
  dated_on: string
}

/** A sheet has some 4,000 rows; more than this is another kind of file. */
const ROWS_MAX = 50_000
/** A refusal names the first faults, which are usually all alike. */
const FAULTS_SHOWN = 20
const CELLS = 7
const LAYOUT = 'shape (BR or PS), clarity, color, from ct, to ct, price per carat, date'

/** Reads the usual sheet, which has no header; refuses a file if any of its rows is wrong. */
export function readSheets(text: string): Sheet[] {
  const faults: FieldError[] = []
  const rows: Row[] = []
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  for (const [index, line] of lines.entries()) {
    // A header, which some add, has no number.
    if (line.trim() === '' || (index === 0 && !/\d/.test(line))) continue
    const row = readRow(line, index + 1)
    if (typeof row === 'string') faults.push(faultAt(index + 1, row))
    else rows.push(row)
    if (rows.length > ROWS_MAX) throw refusalOf([faultAt(index + 1, 'is beyond any price sheet')])
  }
  if (faults.length === 0 && rows.length === 0) faults.push(faultAt(1, `is missing: ${LAYOUT}`))
  const sheets = (['BR', 'PS'] as const).flatMap((shape) => {
    const own = rows.filter((row) => row.shape === shape)
    return own.length === 0 ? [] : [sheetOf(shape, own, faults)]
  })
  if (faults.length > 0) throw refusalOf(faults)
  return sheets
}

function faultAt(line: number, message: string): FieldError {
  return { field: `line ${line}`, message }
}

function refusalOf(faults: readonly FieldError[]): Refusal {
  const [first] = faults
  const more = faults.length > 1 ? ` ${faults.length - 1} more lines are wrong.` : ''
  const detail = `The price sheet cannot be read: ${first.field} ${first.message}.${more}`
  return new Refusal('invalid_request', detail, { errors: faults.slice(0, FAULTS_SHOWN) })
}

const SHAPES = new Map<string, Sheet['shape']>([
  ['BR', 'BR'],
  ['ROUND', 'BR'],
  ['PS', 'PS'],
  ['PEAR', 'PS'],
])
const CLARITY = /^(FL|IF|VVS[12]|VS[12]|SI[123]|I[123])$/
const NUMBER = /^\d{1,9}(\.\d{1,4})?$/

function readRow(line: string, number: number): Row | string {
  const separator = line.includes('\t') ? '\t' : line.includes(';') ? ';' : ','
  const cells = line.split(separator).map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  )
  if (cells.length !== CELLS) return `has ${cells.length} cells instead of ${CELLS}: ${LAYOUT}`
  const [shapeText, clarityText, colorText, from, to, price, date] = cells
  const shape = SHAPES.get(shapeText.toUpperCase())
  if (!shape) return `has the shape "${shapeText}" instead of BR or PS`
  const clarity = clarityText.toUpperCase()
  if (!CLARITY.test(clarity)) return `has the clarity "${clarityText}", which is none`
  const color = colorText.toUpperCase()
  if (!/^[D-Z]$/.test(color)) return `has the color "${colorText}" instead of a letter from D`
  if (!NUMBER.test(from) || !NUMBER.test(to) || Number(from) > Number(to) || Number(to) >= 10_000) {
    return `has the weights "${from}" and "${to}" instead of from and to in carats`
  }
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(price) || Number(price) === 0) {
    return `has the price "${price}" instead of dollars per carat`
  }
  const dated_on = readDate(date)
  if (dated_on === undefined) return `has the date "${date}" instead of 3/31/2026 or 2026-03-31`
  const [weight_min, weight_max, price_per_carat] = [Number(from), Number(to), Number(price)]
  return { line: number, shape, clarity, color, weight_min, weight_max, price_per_carat, dated_on }
}

/** Reads a date as Americans or ISO write it. */
function readDate(text: string): string | undefined {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  const iso = american
    ? `${american[3]}-${american[1].padStart(2, '0')}-${american[2].padStart(2, '0')}`
    : text
  if (!/^\d{4}-\d\d-\d\d$/.test(iso)) return undefined
  const date = new Date(`${iso}T00:00Z`)
  return Number.isNaN(+date) || !date.toISOString().startsWith(iso) ? undefined : iso
}

function sheetOf(shape: Sheet['shape'], rows: readonly Row[], faults: FieldError[]): Sheet {
  const [{ dated_on, line: first }] = rows
  for (const row of rows) {
    if (row.dated_on === dated_on) continue
    faults.push(faultAt(row.line, `has another date than line ${first} of the same shape`))
  }
  const cells = withoutFlawless(rows).sort(byGradeAndWeight)
  for (const [index, row] of cells.entries()) {
    const before = index === 0 ? undefined : cells[index - 1]
    const isSameGrade = before?.clarity === row.clarity && before.color === row.color
    if (before && isSameGrade && before.weight_max >= row.weight_min) {
      faults.push(faultAt(row.line, `has weights that line ${before.line} has already`))
    }
  }
  return { shape, dated_on, cells }
}

/** FL counts as IF: its rows are used only where the sheet has none for IF. */
function withoutFlawless(rows: readonly Row[]): Row[] {
  const keyOf = ({ color, weight_min }: Row) => `${color} ${weight_min}`
  const known = new Set(rows.filter(({ clarity }) => clarity === 'IF').map(keyOf))
  return rows.flatMap((row) => {
    if (row.clarity !== 'FL') return [row]
    return known.has(keyOf(row)) ? [] : [{ ...row, clarity: 'IF' }]
  })
}

function byGradeAndWeight(a: Row, b: Row): number {
  const [first, second] = [`${a.clarity} ${a.color}`, `${b.clarity} ${b.color}`]
  if (first !== second) return first < second ? -1 : 1
  return a.weight_min - b.weight_min || a.line - b.line
}
