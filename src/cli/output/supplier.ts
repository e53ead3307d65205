/** A supplier for people: its settings, and what was understood of its last file. */
import { type FileReading, learnedFrom } from '../../feeds/importing/file-reading.ts'
import type { renderSupplier } from '../../gems/supplier.ts'
import { tableOf } from './table.ts'

export function showSupplier(supplier: ReturnType<typeof renderSupplier>): string {
  const { reading: _, mapping, jewelry_mapping, ...settings } = supplier
  const rows = Object.entries(settings).map(([setting, value]) => ({ setting, value }))
  const learned = learnedFrom(supplier)
  return [
    tableOf(rows, { setting: 'Setting', value: 'Value' }, ''),
    '',
    ...mappingLines('stones', mapping),
    ...mappingLines('jewelry', jewelry_mapping),
    ...(learned ? readingLines(learned) : ['No file of this supplier has been imported yet.']),
  ].join('\n')
}

/** As a file that can be changed and given to `--mapping`. */
function mappingLines(kind: string, mapping: Record<string, unknown> | null): string[] {
  if (!mapping) return []
  const title = `Mapping of its files of ${kind}, which --mapping replaces:`
  return [title, JSON.stringify(mapping, null, 2), '']
}

function readingLines(reading: FileReading): string[] {
  const columns = Object.entries(reading.columns).map(([column, field]) => ({ column, field }))
  const { price, discount } = reading
  const meaning = price ?? 'as the columns say'
  return [
    'How its files are read; a file that reads differently is refused:',
    tableOf(columns, { column: 'Column', field: 'Field' }, 'No columns.'),
    `Price: ${meaning}${reading.price_settled ? ', as the operator said' : ''}`,
    `Discounts: ${discountWords(discount)}`,
    `Decimal sign: ${reading.decimal_comma ? 'comma' : 'point'}`,
    `Currency: ${reading.currency_code}`,
  ]
}

function discountWords({ factor, sign }: FileReading['discount']): string {
  if (factor === null || sign === null) return 'none, or not certain'
  const isShare = sign === 'of list'
  const below = isShare ? 'of the list' : `${sign === 1 ? 'negative' : 'positive'} below the list`
  return `${factor === 1 ? 'percentages' : 'fractions'}, ${below}`
}
