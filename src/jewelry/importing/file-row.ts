import { storableText } from '../../feeds/values/spelling.ts'

/** One row of a jewelry file: texts by column. */
export interface FileRow {
  /** The line as an editor numbers it; in JSON the position of the variant, from 1. */
  row: number
  cells: Map<string, string>
  /** Why the row has no cells, when it could not be read. */
  unreadable?: string
}

export interface JewelryFile {
  columns: string[]
  rows: FileRow[]
}

export function cellText(cell: string): string {
  return storableText(cell).trim()
}
