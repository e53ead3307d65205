import { columnOfElement } from '../header/named-columns.ts'
import type { RowBatches } from '../raw-row.ts'
import { CELL_SEPARATOR, copyText, type RawRow, ROW_CELLS_MAX, ROW_CHARS_MAX } from '../raw-row.ts'
import { refused } from '../refusals.ts'
import { createNamedCells } from '../row-cells.ts'
import { addMemberTitle, type StoneList, type TableOptions } from '../stone-list.ts'
import { type Attributes, attributeOf, createXmlParser, pieces } from './xml.ts'
import { findStonePath, localName, ownAttributes } from './xml-profile.ts'

/** The start of the file from which the element of a stone is found; some hundred stones. */
const PROFILE_CHARS = 524_288

/**
 * Opens XML with a list of like elements, such as the answer of a server. Attributes and children
 * of a stone become columns, those of children with dots: `Price.Currency`. `open` gives the text
 * from the beginning, and is called twice.
 */
export async function openXml(
  open: () => AsyncIterable<string>,
  options: TableOptions,
): Promise<StoneList> {
  const start: string[] = []
  let chars = 0
  for await (const text of withEscapedAmpersands(open())) {
    start.push(text)
    chars += text.length
    if (chars > PROFILE_CHARS) break
  }
  const path = findStonePath(start, options)
  if (path === undefined) {
    const root = /<([a-z_][^\s/>]{0,60})/i.exec(start.join(''))?.[1] ?? '?'
    throw refused(
      `This is XML (<${root}>) without a list, which is of like elements with columns like ` +
        `${options.names.usual}. If its names are in another language, write a mapping with ` +
        '--explain, and import with --mapping.',
    )
  }
  const columns: string[] = []
  const titles: string[] = []
  const reader = createStoneReader(path, columns, titles)
  const rows = readRows(withEscapedAmpersands(open()), reader)
  const close = async () => {
    await rows.return()
  }
  return { columns, rows, notes: [], titles, damage: reader.damage, close }
}

async function* readRows(
  texts: AsyncIterable<string>,
  reader: ReturnType<typeof createStoneReader>,
): RowBatches {
  for await (const text of texts) {
    const rows = reader.push(text)
    if (rows.length > 0) yield rows
  }
}

/** Deeper children, and more like ones, belong to no column. */
const DEPTH_MAX = 6
const LIKE_CHILDREN_MAX = 3
const NAME_CHARS_MAX = 200

/** Makes a row of each element at a path; rows are counted from 1. */
function createStoneReader(stonePath: string, columns: string[], titles: string[]) {
  const path: string[] = []
  const texts: string[] = []
  /** The columns that the open elements name, by their depth. */
  const named: (string | undefined)[] = []
  const stoneDepth = stonePath.split('/').length
  const cellsOf = createNamedCells(columns)
  let rows: RawRow[] = []
  let count = 0
  let stone: StoneFields | undefined
  let isCutOff = true

  const nameHere = () => named[path.length - 1] ?? path.slice(stoneDepth).join('.')
  const isTooDeep = () => path.length > stoneDepth + DEPTH_MAX

  const parse = createXmlParser(
    {
      onOpen(tag, attributes: Attributes) {
        path.push(localName(tag))
        texts.push('')
        if (path.length === stoneDepth && path.join('/') === stonePath) stone = createStoneFields()
        if (!stone) {
          for (const name of ownAttributes(attributes)) {
            addMemberTitle(titles, name, attributeOf(attributes, name))
          }
        }
        if (!stone || isTooDeep()) return
        const column = path.length > stoneDepth ? addColumn(stone, tag, attributes) : undefined
        named[path.length - 1] = column
        if (column !== undefined) return
        const prefix = path.length > stoneDepth ? `${nameHere()}.` : ''
        for (const name of ownAttributes(attributes)) {
          const value = attributeOf(attributes, name)
          if (stone.count(value)) stone.add(prefix + name, value)
        }
      },
      onText(text) {
        if (stone && !isTooDeep() && stone.count(text)) texts[texts.length - 1] += text
        else if (!stone && text.length <= NAME_CHARS_MAX) texts[texts.length - 1] = text
      },
      onClose() {
        const text = texts.pop() ?? ''
        if (stone && path.length > stoneDepth) stone.add(nameHere(), text)
        else if (stone) {
          rows.push(rowOf(++count, stone, cellsOf(stone.values)))
          stone = undefined
        } else addMemberTitle(titles, path.at(-1) ?? '', text)
        path.pop()
        if (path.length === 0) isCutOff = false
      },
    },
    'XML file',
  )

  return {
    push(text: string): RawRow[] {
      parse(text)
      const taken = rows
      rows = []
      return taken
    },
    damage: () => (isCutOff ? `the file ends abruptly after stone ${count}` : undefined),
  }
}

/** Takes an element for a column that it names, and returns the name. */
function addColumn(stone: StoneFields, tag: string, attributes: Attributes): string | undefined {
  const { name, value } = columnOfElement(localName(tag), attributes) ?? {}
  if (name !== undefined && value !== undefined && stone.count(value)) stone.add(name, value)
  return name
}

/** The values of one stone by name, within the limits of a row. */
interface StoneFields {
  values: Map<string, string>
  /** Counts a text; returns false when the stone has become too long. */
  count: (text: string) => boolean
  add: (name: string, value: string) => void
  isTooLong: () => boolean
}

function createStoneFields(): StoneFields {
  const values = new Map<string, string>()
  let chars = 0
  return {
    values,
    count(text) {
      chars += text.length
      return chars <= ROW_CHARS_MAX
    },
    add(name, value) {
      const text = value.trim()
      if (text === '' || name === '' || name.length > NAME_CHARS_MAX) return
      if (values.size > ROW_CELLS_MAX) return
      let unique = name
      for (let like = 2; values.has(unique); like++) {
        if (like > LIKE_CHILDREN_MAX) return
        unique = `${name} (${like})`
      }
      values.set(copyText(unique), text)
    },
    isTooLong: () => chars > ROW_CHARS_MAX,
  }
}

function rowOf(row: number, stone: StoneFields, cells: string[]): RawRow {
  const raw = cells.join(CELL_SEPARATOR)
  if (!stone.isTooLong()) return { row, raw, cells }
  return { row, raw: copyText(raw.slice(0, 200)), cells: [], unreadable: LONG }
}

const LONG = `The element has more than ${ROW_CHARS_MAX} characters`

const BARE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/gi
/** The longest reference that may be cut in two by the end of a piece, `&#1114111;`. */
const REFERENCE_CHARS_MAX = 10

/** Links in sloppy XML have a bare `&`, which is escaped here as it was meant to be. */
async function* withEscapedAmpersands(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of texts) {
    for (const piece of pieces(chunk)) {
      const text = rest + piece
      const last = text.lastIndexOf('&')
      const isCut = last !== -1 && last > text.length - REFERENCE_CHARS_MAX
      const end = isCut ? last : text.length
      rest = text.slice(end)
      yield text.slice(0, end).replaceAll(BARE_AMPERSAND, '&amp;')
    }
  }
  if (rest !== '') yield rest.replaceAll(BARE_AMPERSAND, '&amp;')
}
