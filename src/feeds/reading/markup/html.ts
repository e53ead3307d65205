import { webLink } from '../cell-link.ts'
import { decodeEntities } from './entities.ts'
import { createHtmlRows, type HtmlRows } from './html-rows.ts'
import { createTagReader } from './html-tags.ts'
import type { TableListener } from './table-reader.ts'
import { refusal } from './xml.ts'

const DEPTH_MAX = 64
/** A page has fewer; each takes some memory. */
const TABLES_MAX = 100_000

/** Reads the tables of a page, which many systems save with the ending .xls. */
export function createHtmlParser({ onTable, onRow }: TableListener): (text: string) => void {
  /** Tables inside cells of others; the last one is the innermost. */
  const stack: HtmlRows[] = []
  let tables = 0

  function openTable(): void {
    if (stack.length >= DEPTH_MAX) {
      throw refusal(`Its tables are nested more than ${DEPTH_MAX} levels deep`)
    }
    if (tables >= TABLES_MAX) throw refusal(`It has more than ${TABLES_MAX} tables`)
    const index = tables++
    onTable(`table ${tables}`)
    stack.push(createHtmlRows((row) => onRow(index, row)))
  }

  return createTagReader({
    onText(text) {
      stack.at(-1)?.addText(text)
    },
    onOpen(name, attribute) {
      const table = stack.at(-1)
      if (name === 'table') openTable()
      else if (!table) return
      else if (name === 'tr') table.startRow()
      else if (name === 'td' || name === 'th') {
        table.startCell(Number(attribute('colspan')) | 0, Number(attribute('rowspan')) | 0)
      } else if (name === 'a') table.addLink(webLink(decodeEntities(attribute('href'))))
      else if (/^(br|p|div|li)$/.test(name)) table.addText(' ')
    },
    onClose(name) {
      const table = stack.at(-1)
      if (!table) return
      if (name === 'td' || name === 'th') table.endCell()
      else if (name === 'tr' || name === 'table') table.endRow()
      if (name === 'table') stack.pop()
    },
  })
}
