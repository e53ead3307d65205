import { Refusal } from '../../../lib/refusal.ts'
import { unreadable } from '../detect-format.ts'
import { isList, joinLists, type ListSource } from '../join-lists.ts'
import { isOpenDocument } from '../markup/open-document.ts'
import { refused } from '../refusals.ts'
import type { NoHeader, StoneList, TableOptions } from '../stone-list.ts'
import { type Archive, isArchive, openArchive } from './zip.ts'

interface ZipOptions extends TableOptions {
  isInZip: boolean
  /** Opens one file of the archive by its bytes. */
  openFile: (bytes: AsyncIterable<Uint8Array>) => Promise<StoneList | NoHeader>
  /** Removes the archive. */
  close: () => Promise<void>
}

/** Endings of files that may be stock lists; what they hold is decided by their bytes. */
const STOCK_FILE = /\.(csv|tsv|txt|tab|psv|xlsx|xlsm|xls|ods|xml|json|ndjson|jsonl|html?|gz|dat)$/i
const INNER_ARCHIVE = /\.(zip|rar|7z|tar|tgz)$/i
/** Written by operating systems; nobody wants to hear of them. */
const SYSTEM_FILE = /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)|\/$/i
const STOCK_FILES_MAX = 100

/**
 * Opens a ZIP with one or several stock files as one list of stones. Returns undefined when the
 * file is not a ZIP, or is a workbook, which is a ZIP only inside.
 */
export async function openZip(path: string, options: ZipOptions): Promise<StoneList | undefined> {
  if (!(await isArchive(path))) return undefined
  const archive = await openArchive(path)
  try {
    const isXlsx = archive.names.some((name) => /^xl\/(workbook\.xml|worksheets\/)/i.test(name))
    if (isXlsx || (await isOpenDocument(archive))) {
      await archive.close()
      return undefined
    }
    refuseDocuments(archive.names)
    if (options.isInZip) throw refused('This is a ZIP inside a ZIP; send the inner one.')
    return await openStockFiles(archive, options)
  } catch (error) {
    await archive.close()
    throw error
  }
}

/** Other files that are a ZIP inside, by a name that only they contain. */
const DOCUMENTS: readonly [RegExp, string][] = [
  [/^xl\/workbook\.bin$/i, 'a binary Excel workbook (XLSB)'],
  [/^word\//i, 'a Word document'],
  [/^ppt\//i, 'a PowerPoint presentation'],
  [/^content\.xml$/i, 'an OpenDocument file, but no workbook (ODS)'],
  [/\.iwa$/i, 'an Apple Numbers or Pages document'],
]

function refuseDocuments(names: readonly string[]): void {
  const document = DOCUMENTS.find(([pattern]) => names.some((name) => pattern.test(name)))
  if (document) throw unreadable(document[1])
}

async function openStockFiles(archive: Archive, options: ZipOptions): Promise<StoneList> {
  const names = archive.names.filter((name) => !SYSTEM_FILE.test(name))
  const inner = names.filter((name) => INNER_ARCHIVE.test(name))
  if (inner.length > 0) {
    const detail = `This is a ZIP with an archive inside (${shown(inner)}); send that one itself.`
    throw refused(detail)
  }
  const files = names.filter((name) => STOCK_FILE.test(name) || !/\.[^./]+$/.test(name)).sort()
  if (files.length === 0) {
    const seen = names.length === 0 ? 'nothing in it' : `${counted(names.length)} (${shown(names)})`
    throw refused(`This is a ZIP with ${seen}, but no stock list such as a CSV or an XLSX file.`)
  }
  if (files.length > STOCK_FILES_MAX) {
    throw refused(`This is a ZIP with ${files.length} files; at most ${STOCK_FILES_MAX} are read.`)
  }
  const others = names.filter((name) => !files.includes(name))
  const list = await joinLists(
    files.map((name) => sourceOf(archive, name, options)),
    {
      ...options,
      noun: 'file',
      container: `a ZIP with ${counted(files.length)} (${shown(files)})`,
      whenDifferent: 'refuse',
      close: async () => {
        await archive.close()
        await options.close()
      },
    },
  )
  if (others.length > 0) {
    list.notes.push(`The ZIP has ${counted(others.length)} not read: ${shown(others)}.`)
  }
  return list
}

function sourceOf(archive: Archive, name: string, { openFile }: ZipOptions): ListSource {
  return {
    name,
    async open(isProbe) {
      try {
        const list = await openFile(archive.open(name))
        // Of JSON the columns are known from its first stones.
        if (!isProbe || !isList(list) || list.columns.length > 0) return list
        await list.rows.next()
        if (list.columns.length > 0) return list
        await list.close()
        return { firstRow: { row: 1, raw: '', cells: [] } }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        throw refused(`This is a ZIP. Of its file ${JSON.stringify(name)}: ${error.message}`)
      }
    },
  }
}

const counted = (count: number) => (count === 1 ? 'one file' : `${count} files`)

function shown(names: readonly string[]): string {
  const few = names.slice(0, 5).map((name) => name.slice(0, 80))
  return few.join(', ') + (names.length > few.length ? ', …' : '')
}
