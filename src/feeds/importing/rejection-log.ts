import { VENDOR_SKU_CHARS_MAX } from '../../gems/gem.ts'
import type { Rejection } from '../drafting/gem-draft.ts'
import { copyText } from '../reading/raw-row.ts'

export interface LoggedRejection extends Rejection {
  vendor_sku: string | null
  /** Readable, but so suspicious that a person must check it. */
  quarantined: boolean
  /** The row's own cells; null where they were not kept. */
  cells: string[] | null
  /** The staged stone of a quarantined row, as JSON, from which it can be put on sale. */
  draft: string | null
}

/** Counts all rejections and keeps the first ones: a million of them would tell nothing more. */
export interface RejectionLog {
  add(rejection: Rejection, vendorSku: string, row?: RejectedRow): void
  /** Keeps the cells of a row that may be rejected when the whole file is read. */
  keepCells(vendorSku: string, cells: readonly string[]): void
  count(): number
  kept(): LoggedRejection[]
}

/** What else is known of a rejected row. One with a draft goes into quarantine. */
interface RejectedRow {
  cells?: readonly string[]
  draft?: string
}

export const REJECTIONS_KEPT_MAX = 10_000
/** Of so many imports of a supplier the rejected rows can be written to a file. */
export const IMPORTS_WITH_CELLS = 10
/** Ten thousand rows of an ordinary file, and a fraction of the memory that an import may use. */
export const ALL_CELLS_CHARS_MAX = 8_000_000

export function createRejectionLog(): RejectionLog {
  const kept: LoggedRejection[] = []
  const doubtful = new Map<string, string[]>()
  const rejectedCells = createCellLimit()
  const doubtfulCells = createCellLimit()
  let count = 0
  return {
    add(rejection, vendorSku, { cells, draft } = {}) {
      count++
      if (kept.length >= REJECTIONS_KEPT_MAX) return
      kept.push({
        ...rejection,
        value: copyText(rejection.value),
        vendor_sku: vendorSku === '' ? null : copyText(vendorSku.slice(0, VENDOR_SKU_CHARS_MAX)),
        quarantined: draft !== undefined,
        cells: rejectedCells.copy(cells ?? doubtful.get(vendorSku)),
        draft: draft ?? null,
      })
    },
    keepCells(vendorSku, cells) {
      if (doubtful.size >= REJECTIONS_KEPT_MAX) return
      const copied = doubtfulCells.copy(cells)
      if (copied) doubtful.set(copyText(vendorSku), copied)
    },
    count: () => count,
    kept: () => kept.sort((a, b) => a.row - b.row),
  }
}

/** Ten times an ordinary row: longer ones are damage, of which the reported value is enough. */
const ROW_CELLS_CHARS_MAX = 10_000

/** Copies the cells of rows until there are too many of them. */
function createCellLimit() {
  let chars = 0
  return {
    copy(cells: readonly string[] | undefined): string[] | null {
      if (cells === undefined || cells.length === 0) return null
      let length = 0
      for (const cell of cells) length += cell.length
      if (length > ROW_CELLS_CHARS_MAX || chars + length > ALL_CELLS_CHARS_MAX) return null
      chars += length
      return cells.map(copyText)
    },
  }
}
