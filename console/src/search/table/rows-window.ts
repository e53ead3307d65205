/** Which rows of a long table exist, and where they are drawn. */
export interface RowsWindow {
  /** The height of everything, by which the browser draws its scroll bar. */
  heightPx: number
  /** How many pixels of the full list one scrolled pixel stands for; above 1 when compressed. */
  ratio: number
  first: number
  /** The row after the last one. */
  last: number
  shiftPx: number
}

/** Browsers draw nothing below about 17 million pixels, so a longer list is compressed. */
const HEIGHT_PX_MAX = 8_000_000
/** Rows above and below the visible ones that exist too, for smooth scrolling. */
const EXTRA_ROWS = 8

/** The window of a table that is scrolled by `topPx`; its head is as high as a row. */
export function windowAt(
  { total, rowPx }: { total: number; rowPx: number },
  { topPx, viewPx }: { topPx: number; viewPx: number },
): RowsWindow {
  const fullPx = (total + 1) * rowPx
  const heightPx = Math.min(fullPx, HEIGHT_PX_MAX)
  const ratio = heightPx > viewPx ? (fullPx - viewPx) / (heightPx - viewPx) : 1
  const at = Math.floor((topPx * ratio) / rowPx)
  const first = Math.min(Math.max(0, total - 1), Math.max(0, at - EXTRA_ROWS))
  const last = Math.min(total, first + Math.ceil(viewPx / rowPx) + 2 * EXTRA_ROWS)
  return { heightPx, ratio, first, last, shiftPx: topPx + rowPx + first * rowPx - topPx * ratio }
}
