import { type RawRow, textAt } from '../reading/raw-row.ts'
import { type NumberStyle, sniffDecimalComma } from '../values/numbers.ts'
import type { FieldName } from './fields.ts'
import { fieldsNamed } from './header-names.ts'
import type { ColumnDecision } from './mapping.ts'

const NUMERIC: ReadonlySet<FieldName> = new Set<FieldName>([
  'weight',
  'length',
  'width',
  'depth',
  'depth_percentage',
  'table_percentage',
  'price_per_carat',
  'total_price',
])
const ROWS_READ = 200

interface StyleHints {
  /** What the operator's mapping decides, by the position of the column. */
  decisions: ReadonlyMap<number, ColumnDecision>
  /** How the supplier's last file wrote numbers. */
  before: boolean | undefined
}

/** Decides how the file writes numbers, by the columns that hold some. */
export function sniffNumberStyle(
  names: readonly string[],
  sample: readonly RawRow[],
  { decisions, before }: StyleHints,
): NumberStyle {
  const fieldsOf = (index: number): FieldName[] => {
    const decided = decisions.get(index)?.field
    return decided != null ? [decided] : fieldsNamed(names[index]).map(({ field }) => field)
  }
  const texts: string[] = []
  const weights: string[] = []
  let hasParcels = false
  for (const index of names.keys()) {
    const fields = fieldsOf(index)
    const cells = sample.slice(0, ROWS_READ).map((row) => textAt(row.cells, index))
    hasParcels ||= fields.includes('parcel_stones') && cells.some((text) => Number(text) > 1)
    if (!fields.some((field) => NUMERIC.has(field))) continue
    texts.push(...cells)
    if (fields[0] === 'weight') weights.push(...cells.filter((text) => text !== ''))
  }
  const isByWeight = !hasParcels && areThousandths(weights)
  const decimalComma = isByWeight || sniffDecimalComma(texts)
  return { decimalComma: decimalComma ?? before ?? false }
}

const THOUSANDTHS = /^\d{1,2},\d{3}$/

/** Only parcels weigh over a thousand carats: a stone of `1,015` has a little more than one. */
function areThousandths(weights: readonly string[]): boolean {
  return weights.length > 0 && weights.every((text) => THOUSANDTHS.test(text))
}
