/** Cells of a workbook that are merged over several rows: each of the rows shows what they hold. */
import type { CellArea } from './cell-links.ts'

/** A few columns of a row may be merged at a time; each costs time in every row below. */
const ACTIVE_MAX = 50
/** `VS1` and `GIA` are those of every row; a price or a number may be that of all together. */
const OF_EACH = /^(?:[^\d]+|[\p{L}]{1,4}\d{1,2})$/u
const TEXT_CHARS_MAX = 200

export interface MergedCells {
  startRow(row: number): void
  /** Returns the text that a cell has for its own row. */
  textOf(row: number, column: number, text: string): string
  /** Returns the texts of the cells above that continue in the row, by column. */
  continued(row: number): string[] | undefined
}

export function createMergedCells(areas: readonly CellArea[]): MergedCells {
  const waiting = areas.toSorted((a, b) => b.firstRow - a.firstRow)
  let active: { area: CellArea; text: string }[] = []
  return {
    startRow(row) {
      if (active.length > 0) active = active.filter(({ area }) => area.lastRow >= row)
      for (let next = waiting.at(-1); next && next.firstRow <= row; next = waiting.at(-1)) {
        waiting.pop()
        if (next.lastRow >= row && active.length < ACTIVE_MAX) active.push({ area: next, text: '' })
      }
    },
    textOf(row, column, text) {
      const merged = active.find(({ area }) => area.firstRow === row && area.firstColumn === column)
      if (!merged || text === '') return text
      if (!OF_EACH.test(text)) return ''
      merged.text = text.slice(0, TEXT_CHARS_MAX)
      return text
    },
    continued(row) {
      const texts: string[] = []
      for (const { area, text } of active) {
        if (area.firstRow < row && text !== '') texts[area.firstColumn] = text
      }
      return texts.length === 0 ? undefined : texts
    },
  }
}
