/** The reports of imports as text for a person. `--json` prints the reports themselves, whole. */
import type { ImportReport, ImportSummary } from '../../feeds/importing/report.ts'
import { fieldsNamed } from '../../feeds/mapping/header-names.ts'
import { DECIDED, SURE_CONFIDENCE_MIN, shareOf } from '../../feeds/mapping/mapping.ts'
import type { JewelryReport } from '../../jewelry/importing/import-store.ts'
import { tableOf } from '../output/table.ts'

const ROWS_SHOWN = 20

export function showImport(report: ImportReport): string {
  return [
    ...headLines(report, `Import ${report.uuid} for ${report.supplier}`),
    ...columnsToCheck(report),
    ...noteLines(report),
    ...diffLines(report),
    ...rejectionLines(report),
  ].join('\n')
}

export function showJewelryImport(report: JewelryReport): string {
  const title = `Import ${report.uuid} for ${report.supplier} into ${report.catalogue}`
  const lines = [
    ...headLines(report, title),
    ...unusedColumns(report),
    ...report.notes,
    ...rejectionLines(report),
  ]
  return lines.join('\n')
}

function headLines(report: ImportSummary, title: string): string[] {
  const { rows, added, changed, unchanged, removed, rejected } = report
  return [
    report.dry_run ? `Dry run for ${report.supplier}: nothing was changed.` : title,
    `${rows} rows: ${added} added, ${changed} changed, ${unchanged} unchanged, ` +
      `${removed} removed, ${rejected} rejected`,
  ]
}

/** A column that is filled in at least so many rows was meant to say something. */
const FULL_SHARE_MIN = 0.5

/** What matters of the columns: overruled names, unsure ones, and values that were not used. */
function columnsToCheck({ columns }: ImportReport): string[] {
  const lines = columns.flatMap((mapped) => {
    const doubt = doubtAbout(mapped)
    return doubt === undefined ? [] : [`  ${mapped.column}: ${doubt}`]
  })
  return lines.length === 0 ? [] : ['Columns to look at:', ...lines]
}

function doubtAbout(mapped: ImportReport['columns'][number]): string | undefined {
  const { column, field, confidence, reason, filled = 0, sampled = 0 } = mapped
  const isDecided = Object.values<string>(DECIDED).includes(reason)
  if (filled === 0) return undefined
  if (field === null) {
    if (isDecided || filled < sampled * FULL_SHARE_MIN) return undefined
    return `not used, though ${shareOf(filled, sampled)} are there (${reason})`
  }
  if (confidence < SURE_CONFIDENCE_MIN) return `unsure, read as ${field}: ${reason}`
  const meant = fieldsNamed(column)
  const isOverruled = meant.length > 0 && meant.every((named) => named.field !== field)
  return isOverruled && !isDecided ? `overruled, read as ${field}: ${reason}` : undefined
}

function unusedColumns({ unmapped }: ImportSummary): string[] {
  return unmapped.length === 0 ? [] : [`Unused columns: ${unmapped.join(', ')}`]
}

function noteLines({ notes, not_offered }: ImportReport): string[] {
  const lines: string[] = [...notes.file]
  if (not_offered > 0) lines.push(`${not_offered} stones are no longer on offer`)
  if (notes.si3 > 0) lines.push(`${notes.si3} stones graded SI3 are sold at the supplier's setting`)
  if (notes.estimated_sizes > 0) {
    const sizes = `The size of ${notes.estimated_sizes} parcels is estimated from the weight`
    lines.push(`${sizes} of their stones: the file names none`)
  }
  if (notes.estimated_counts !== undefined) {
    const counts = `The number of stones of ${notes.estimated_counts} parcels is estimated`
    lines.push(`${counts} from the weight or size of one: the file has none`)
  }
  if (notes.worst_clarities !== undefined) {
    const stones = `${notes.worst_clarities} single stones with a range of clarities`
    lines.push(`${stones}, such as VS, are sold as the worst of it`)
  }
  for (const { lab_original, count } of notes.other_labs.slice(0, ROWS_SHOWN)) {
    lines.push(`  Unknown lab ${JSON.stringify(lab_original)}: ${count} stones have no lab`)
  }
  for (const { field, value, count } of notes.unreadable.slice(0, ROWS_SHOWN)) {
    lines.push(`  Unreadable ${field} ${JSON.stringify(value)}: left out of ${count} rows`)
  }
  return lines
}

function diffLines({ diff }: ImportReport): string[] {
  if (!diff) return []
  const lines: string[] = []
  const jumps = diff.price_jumps.slice(0, ROWS_SHOWN)
  if (jumps.length > 0) lines.push('Largest price changes:')
  for (const { vendor_sku, from, to, percent } of jumps) {
    lines.push(`  ${vendor_sku}: ${from} to ${to} (${percent}%)`)
  }
  const removed = diff.removed.slice(0, ROWS_SHOWN).map(({ vendor_sku }) => vendor_sku)
  if (removed.length > 0) lines.push(`Would be removed: ${removed.join(', ')}`)
  return lines
}

const VALUE_SHOWN_CHARS = 40

function rejectionLines({ rejections, rejected }: ImportSummary): string[] {
  if (rejected === 0) return []
  const shown = rejections.slice(0, ROWS_SHOWN).map((rejection) => {
    const { value } = rejection
    const isLong = value.length > VALUE_SHOWN_CHARS
    return { ...rejection, value: isLong ? `${value.slice(0, VALUE_SHOWN_CHARS - 1)}…` : value }
  })
  const headings = { row: 'Row', column: 'Column', value: 'Value', reason: 'Reason' }
  const more = rejected - shown.length
  return [
    'Rejected rows:',
    tableOf(shown, headings, ''),
    ...(more > 0 ? [`… and ${more} more; --json lists them all`] : []),
  ]
}
