import type { ImportReport } from '../../feeds/importing/report.ts'

const ROWS_SHOWN = 20

/** An import in words, the doubtful rows by name. */
export function showImport(report: ImportReport): string {
  const { rows, added, changed, unchanged, removed, rejected } = report
  const head = report.dry_run
    ? `Dry run of ${report.supplier}: nothing was changed.`
    : `Import ${report.uuid} of ${report.supplier}`
  const figures =
    `${rows} rows: ${added} added, ${changed} changed, ${unchanged} unchanged, ` +
    `${removed} removed, ${rejected} rejected`
  return [head, figures, ...columnLines(report), ...noteLines(report), ...diffLines(report)]
    .concat(rejectionLines(report))
    .join('\n')
}

function columnLines({ columns, unmapped }: ImportReport): string[] {
  const unsure = columns.filter(({ field, confidence }) => field !== null && confidence < 0.8)
  const lines = unsure.map(
    ({ column, field, confidence, reason }) =>
      `  ${column} was taken for ${field} (${Math.round(confidence * 100)} % sure): ${reason}`,
  )
  if (lines.length > 0) lines.unshift('Columns to look at:')
  if (unmapped.length > 0) lines.push(`Columns not used: ${unmapped.join(', ')}`)
  return lines
}

function noteLines({ notes, not_offered }: ImportReport): string[] {
  const lines: string[] = []
  if (not_offered > 0) lines.push(`${not_offered} stones are not on offer any more`)
  if (notes.si3 > 0)
    lines.push(`${notes.si3} stones graded SI3 were taken as the supplier's setting says`)
  for (const { lab_original, count } of notes.other_labs.slice(0, ROWS_SHOWN)) {
    lines.push(`  ${count} stones of the laboratory ${JSON.stringify(lab_original)} have no lab`)
  }
  for (const { field, value, count } of notes.unreadable.slice(0, ROWS_SHOWN)) {
    lines.push(`  ${field}: ${JSON.stringify(value)} was not understood in ${count} rows`)
  }
  return lines
}

function diffLines({ diff }: ImportReport): string[] {
  if (!diff) return []
  const jumps = diff.price_jumps.slice(0, ROWS_SHOWN)
  const gone = diff.removed.slice(0, ROWS_SHOWN)
  return [
    ...(jumps.length > 0 ? ['Largest changes of price:'] : []),
    ...jumps.map(
      ({ vendor_sku, from, to, percent }) => `  ${vendor_sku}: ${from} to ${to} (${percent} %)`,
    ),
    ...(gone.length > 0
      ? [`Would be removed: ${gone.map(({ vendor_sku }) => vendor_sku).join(', ')}`]
      : []),
  ]
}

function rejectionLines({ rejections, rejected }: ImportReport): string[] {
  const lines = rejections.slice(0, ROWS_SHOWN).map(({ row, column, value, reason }) => {
    return `  row ${row}, ${column} ${JSON.stringify(value)}: ${reason}`
  })
  if (rejected > lines.length)
    lines.push(`  and ${rejected - lines.length} more (--json lists them)`)
  return rejected > 0 ? ['Rejected:', ...lines] : []
}
