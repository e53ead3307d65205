import { createOwnStore } from '../../api/own-store.ts'
import { COLUMNS, type Column } from './columns.ts'

/** How somebody has set up the table; kept for the next time. */
interface Layout {
  columns: { id: string; widthPx: number }[]
  density: 'comfortable' | 'compact'
  /** The width of the first column, which is always there. */
  skuPx: number
  isFilterHidden: boolean
}

const WIDTH_PX = { min: 44, max: 480 }
/** Checkbox, picture and SKU. */
const SKU_PX_MIN = 120
export const ROW_PX = { comfortable: 44, compact: 32 } as const

const USUAL: Layout = {
  columns: COLUMNS.filter(({ isUsual }) => isUsual).map(({ id, widthPx }) => ({ id, widthPx })),
  density: 'comfortable',
  skuPx: 178,
  isFilterHidden: false,
}

export const layout = createOwnStore<Layout>('table', USUAL)

export function changeLayout(change: Partial<Layout>): void {
  layout.set({ ...layout.get(), ...change })
}

export function resetLayout(): void {
  layout.set(USUAL)
}

/** The chosen columns with their widths; a column that no longer exists is left out. */
export function columnsOf({ columns }: Layout): (Column & { widthPx: number })[] {
  return columns.flatMap(({ id, widthPx }) => {
    const column = COLUMNS.find((each) => each.id === id)
    return column ? [{ ...column, widthPx }] : []
  })
}

/** The columns as they are offered: the chosen ones in their order, then the others. */
export function offeredColumns({ columns }: Layout): { column: Column; isShown: boolean }[] {
  const shown = columnsOf({ ...USUAL, columns })
  const others = COLUMNS.filter(({ id }) => !shown.some((each) => each.id === id))
  return [
    ...shown.map((column) => ({ column, isShown: true })),
    ...others.map((column) => ({ column, isShown: false })),
  ]
}

export function resizeColumn(id: string, widthPx: number): void {
  const width = Math.round(Math.min(WIDTH_PX.max, Math.max(WIDTH_PX.min, widthPx)))
  const { columns } = layout.get()
  if (id === 'sku') changeLayout({ skuPx: Math.max(SKU_PX_MIN, width) })
  else
    changeLayout({
      columns: columns.map((each) => (each.id === id ? { id, widthPx: width } : each)),
    })
}

export function toggleColumn(id: string): void {
  const { columns } = layout.get()
  const others = columns.filter((each) => each.id !== id)
  const added = COLUMNS.find((each) => each.id === id)
  if (others.length < columns.length) changeLayout({ columns: others })
  else if (added) changeLayout({ columns: [...columns, { id, widthPx: added.widthPx }] })
}

/** Moves a column one place to the front or to the back. */
export function moveColumn(id: string, step: -1 | 1): void {
  const columns = [...layout.get().columns]
  const at = columns.findIndex((each) => each.id === id)
  const to = at + step
  if (at < 0 || to < 0 || to >= columns.length) return
  ;[columns[at], columns[to]] = [columns[to], columns[at]]
  changeLayout({ columns })
}
