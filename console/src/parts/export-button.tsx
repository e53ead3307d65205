import { useAction } from '../api/hooks.ts'
import { t } from '../language/language.ts'
import { downloadTable, type TableFormat } from '../lib/download.ts'
import { plural } from '../lib/format.ts'
import type { Cell } from '../lib/workbook.ts'
import { ProblemNote } from './feedback.tsx'
import { showToast } from './toast.tsx'

/** More rows than a person works through in a spreadsheet. */
const ROWS_MAX = 20_000

/** Saves all rows of a filtered list, not only those of the page that is shown, or the selected. */
export function ExportButton<Row>(props: {
  /** Of the file, with the ending `.csv`. */
  name: string
  columns: readonly (readonly [label: string, value: (row: Row) => Cell])[]
  /** Reads a page of the list that begins at the offset. */
  read: (offset: number) => Promise<{ rows: readonly Row[]; total: number }>
  /** Saved instead, when there are any. */
  selected?: readonly Row[]
}) {
  const { selected = [] } = props
  const action = useAction()
  const save = (format: TableFormat) =>
    void action.run(async () => {
      const { rows, total } =
        selected.length > 0 ? { rows: selected, total: selected.length } : await readAll(props.read)
      await downloadTable(
        format,
        props.name,
        props.columns.map(([label]) => label),
        rows.map((row) => props.columns.map(([, value]) => value(row))),
      )
      if (rows.length < total)
        showToast(t('The file has the first {rows}.', { rows: plural(rows.length, 'row') }))
    })
  return (
    <>
      <FormatButtons isDisabled={action.busy} onSave={save} selected={selected.length} />
      <ProblemNote problem={action.problem} />
    </>
  )
}

async function readAll<Row>(
  read: (offset: number) => Promise<{ rows: readonly Row[]; total: number }>,
): Promise<{ rows: readonly Row[]; total: number }> {
  const rows: Row[] = []
  let total = 0
  do {
    const page = await read(rows.length)
    if (page.rows.length === 0) break
    rows.push(...page.rows)
    total = page.total
  } while (rows.length < Math.min(total, ROWS_MAX))
  return { rows, total }
}

/** A button for each format, side by side. What the second one does is said by the first. */
export function FormatButtons(props: {
  isDisabled?: boolean
  isSmall?: boolean
  /** How many rows are selected, if not all are saved. */
  selected?: number
  onSave: (format: TableFormat) => void
}) {
  const kind = props.isSmall ? 'button is-small' : 'button'
  const rows = props.selected ? plural(props.selected, 'row') : undefined
  return (
    <span class="button-pair">
      <button
        type="button"
        class={kind}
        disabled={props.isDisabled}
        onClick={() => props.onSave('csv')}
      >
        {rows ? t('Export {rows} as CSV', { rows }) : t('Export CSV')}
      </button>
      <button
        type="button"
        class={kind}
        disabled={props.isDisabled}
        aria-label={rows ? t('Export {rows} as XLSX', { rows }) : t('Export XLSX')}
        onClick={() => props.onSave('xlsx')}
      >
        XLSX
      </button>
    </span>
  )
}
