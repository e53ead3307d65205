import { webLink } from '../cell-link.ts'
import { copyText } from '../raw-row.ts'

/** The hyperlinks of a sheet by cell; rows and columns count from 0. */
export interface CellLinks {
  add(area: CellArea, address: string): void
  at(row: number, column: number): string | undefined
  /** Whether there were more than are kept. */
  isCut: boolean
}

export interface CellArea {
  firstRow: number
  lastRow: number
  firstColumn: number
  lastColumn: number
}

/** Excel allows 65,530 hyperlinks in a sheet. */
const LINKS_MAX = 200_000
const CHARS_MAX = 32 * 1_048_576
/** A key of row and column in one number. */
const COLUMNS = 16_384

export function createCellLinks(): CellLinks {
  const links = new Map<number, string>()
  let chars = 0
  return {
    isCut: false,
    add(area, address) {
      const link = webLink(address)
      if (link === undefined) return
      const kept = copyText(link)
      chars += kept.length
      for (let row = area.firstRow; row <= area.lastRow; row++) {
        for (let column = area.firstColumn; column <= area.lastColumn; column++) {
          if (links.size >= LINKS_MAX || chars > CHARS_MAX) {
            this.isCut = true
            return
          }
          links.set(row * COLUMNS + column, kept)
        }
      }
    },
    at: (row, column) => links.get(row * COLUMNS + column),
  }
}
