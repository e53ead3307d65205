import type { Db } from '../../database/open.ts'
import { mappedNames } from '../../feeds/mapping/list-names.ts'
import { DECIDED } from '../../feeds/mapping/mapping.ts'
import type { MappingFile } from '../../feeds/mapping/mapping-file.ts'
import { examplesOf, type WrittenColumn, writeMapping } from '../../feeds/mapping/write-mapping.ts'
import { createTurns } from '../../lib/turns.ts'
import { isKnownKind, readKind } from './drafting/read-values.ts'
import { mappingFor, missingFields } from './import-jewelry.ts'
import { isWordField, JEWELRY_MAPPING } from './jewelry-fields.ts'
import { type MappedFile, mapFile } from './map-file.ts'
import { readJewelryInThread } from './reading/read-in-thread.ts'

interface ExplainRequest {
  supplier: string
  bytes: AsyncIterable<Uint8Array>
  mapping?: MappingFile
  /** Ends the reading when nobody waits for the mapping any more. */
  signal?: AbortSignal
}

/** Returns the mapping that an import of the file would use; it changes nothing. */
export async function explainJewelry(db: Db, request: ExplainRequest): Promise<MappingFile> {
  const { own, isSaved } = await mappingFor(db, request)
  const read = await readJewelryInThread(request.bytes, {
    mapped: mappedNames(own),
    isExplained: true,
  })
  const turns = createTurns(request.signal)
  const file = await mapFile(read, own, { isSaved, turns })
  const columns = file.columns.map((column) => writtenColumn(column, file))
  const ruleAt = new Map(
    file.columns.flatMap((column, at) => {
      const rule = file.rules.get(column)
      return rule ? [[at, rule] as const] : []
    }),
  )
  const examplesAt = (at: number) =>
    examplesOf(file.rows.map(({ cells }) => cells.get(file.columns[at])))
  const missing = missingFields(file.meanings)
  const lack =
    missing.length === 0 ? [] : [`No column was recognized as ${missing.join(', ')}; name it here.`]
  const notes = [...file.notes, ...lack]
  return writeMapping(columns, { ruleAt, examplesAt, notes, unknown: unknownValues(file) })
}

function writtenColumn(column: string, { meanings, rules, constants }: MappedFile): WrittenColumn {
  const field = meanings.get(column) ?? null
  const constant = constants.get(column)
  const isIgnored = rules.get(column)?.isIgnored === true
  const reason = isIgnored ? DECIDED.ignored : 'no field has this name'
  return { column, field, confidence: 1, reason, ...(constant !== undefined && { constant }) }
}

const LISTED_MAX = 50

/** Words that their field does not have, with their counts, by the position of the column. */
function unknownValues({ columns, rows, meanings }: MappedFile) {
  const lists = new Map<number, [string, number][]>()
  for (const [at, column] of columns.entries()) {
    const field = meanings.get(column)
    if (field === undefined || !(isWordField(field) || field === 'jewelry_type')) continue
    const isKnown = (text: string) =>
      field === 'jewelry_type' ? isKnownKind(readKind(text)) : JEWELRY_MAPPING.hasValue(field, text)
    const counts = new Map<string, number>()
    for (const { cells } of rows) {
      const text = cells.get(column)
      if (text === undefined || isKnown(text)) continue
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    const all = [...counts].sort(([, a], [, b]) => b - a)
    if (all.length > 0) lists.set(at, all.slice(0, LISTED_MAX))
  }
  return lists
}
