import { Refusal } from '../../../lib/refusal.ts'
import type { FieldName } from '../../mapping/fields.ts'
import { isSurelyNamed } from '../../mapping/header-names.ts'
import type { ColumnMapping, FeedMapping } from '../../mapping/mapping.ts'
import { type RawRow, textAt } from '../../reading/raw-row.ts'

/** Fields of which a file may not have two columns of the same name with different values. */
const DECISIVE: ReadonlySet<FieldName | null> = new Set<FieldName>([
  ...(['vendor_sku', 'shape', 'weight', 'color', 'clarity', 'cert_num', 'lab', 'type'] as const),
  ...(['price_per_carat', 'total_price', 'list_price', 'discount_percentage'] as const),
])

/** Refuses a file with two columns of one name, or two weights, that differ. */
export function checkSameNames(mapping: FeedMapping, sample: readonly RawRow[]): void {
  const [first] = findSameNames(mapping, sample)
  if (first) throw new Refusal('invalid_request', first.detail)
}

/** Two columns of which a person must say which one counts. */
interface SameNames {
  at: number
  otherAt: number
  detail: string
}

export function findSameNames(mapping: FeedMapping, sample: readonly RawRow[]): SameNames[] {
  const { columns, decisions } = mapping
  const found: SameNames[] = []
  for (const [at, column] of columns.entries()) {
    if (!DECISIVE.has(column.field) || decisions.has(at)) continue
    for (const [otherAt, other] of columns.entries()) {
      if (otherAt === at || decisions.has(otherAt) || !competes(column, other)) continue
      const count = differences(sample, at, otherAt)
      // Of two weights, one may be that of a single stone of a lot.
      const isOneName = bareName(column.column) === bareName(other.column)
      const allowed = isOneName ? 0 : sample.length * LOTS_SHARE_MAX
      if (count > allowed) found.push({ at, otherAt, detail: sameNames(column, other, count) })
    }
  }
  return found
}

/** One of two weights may be rounded. */
const ROUNDING = 0.015
const LOTS_SHARE_MAX = 0.1

/** Whether the other column has the same name and no meaning of its own. */
function competes({ column, field }: ColumnMapping, other: ColumnMapping): boolean {
  if (other.field !== null) return false
  if (bareName(column) === bareName(other.column)) return true
  // `Weight` and `Carat` are the same; one of them may be the gross weight.
  return field === 'weight' && isSurelyNamed(other.column, 'weight')
}

/** The second column of a name is called `Price (2)`. */
const bareName = (name: string) => name.replace(/ \(\d+\)$/, '')

function differences(sample: readonly RawRow[], at: number, otherAt: number): number {
  return sample.filter(({ cells }) => {
    const [one, other] = [textAt(cells, at), textAt(cells, otherAt)]
    if (one === '' || other === '') return false
    if (one === other) return false
    const [number, otherNumber] = [Number(one), Number(other)]
    if (Number.isNaN(number) || Number.isNaN(otherNumber)) return true
    return Math.abs(number - otherNumber) > Math.abs(number) * ROUNDING
  }).length
}

function sameNames({ column, field }: ColumnMapping, other: ColumnMapping, count: number): string {
  return (
    `The columns ${JSON.stringify(column)} and ${JSON.stringify(other.column)} mean the same ` +
    `and differ in ${count} of the first rows. Say in a mapping which one counts, such as ` +
    `${JSON.stringify({ [column]: field, [other.column]: null })}; nothing was changed.`
  )
}
