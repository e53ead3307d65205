import type { Db } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { createTurns } from '../../lib/turns.ts'
import { getRate } from '../../pricing/exchange-rates.ts'
import type { MappedFeed } from '../mapping/apply-mapping.ts'
import { mapLateColumns } from '../mapping/map-columns.ts'
import type { FeedMapping } from '../mapping/mapping.ts'
import type { MappingFile } from '../mapping/mapping-file.ts'
import { createUnknownValues } from '../mapping/unknown-values.ts'
import { examplesOf, writeMapping } from '../mapping/write-mapping.ts'
import type { RawRow } from '../reading/raw-row.ts'
import { checkTranslations, missingColumns } from './checks/import-checks.ts'
import { checkRivalPrices, settlePriceMeaning } from './checks/price-question.ts'
import { findSameNames } from './checks/same-names.ts'
import { supplierFor } from './import-supplier.ts'
import type { ImportRequest } from './report.ts'
import { openMappedFeed, understandFeed } from './understand-feed.ts'

type ExplainRequest = Pick<
  ImportRequest,
  'supplier' | 'bytes' | 'currency' | 'price' | 'mapping' | 'sheet' | 'relearn' | 'signal'
>

/**
 * Returns the mapping that an import of the file would use, with what is unsure and the values that
 * were not understood. It changes nothing. A file that an import would refuse, because its header
 * or a column is not found, is explained as far as it is understood.
 */
export async function explainImport(db: Db, request: ExplainRequest): Promise<MappingFile> {
  const supplier = await supplierFor(db, { ...request, mode: 'update', dryRun: true })
  const currency = request.currency ?? supplier.currency_code
  await getRate(db, currency)
  const feed = await openMappedFeed(request, supplier, { isExplained: true })
  try {
    const { relearn } = request
    const { mapping, learned } = await understandFeed(db, feed, { supplier, currency, relearn })
    const questions = questionsOf(mapping, feed.sample, () =>
      settlePriceMeaning(mapping, { option: request.price, learned }),
    )
    checkTranslations(mapping, feed)
    const unknown = await readUnknown(feed, mapping, request.signal)
    feed.checkColumns()
    const notes = [...feed.notes, ...missingNotes(mapping, feed.sample)]
    const { ruleAt, sample } = feed
    const examplesAt = (at: number) => examplesOf(sample.map(({ cells }) => cells[at]))
    return writeMapping(mapping.columns, { ruleAt, examplesAt, notes, questions, unknown })
  } finally {
    await feed.close()
  }
}

async function readUnknown(feed: MappedFeed, mapping: FeedMapping, signal?: AbortSignal) {
  const unknown = createUnknownValues(mapping)
  const turns = createTurns(signal)
  for await (const batch of feed.rows()) {
    mapLateColumns(mapping, feed.columns)
    for (const row of batch) {
      if (turns.isOver()) await turns.next()
      unknown.add(row)
    }
  }
  return unknown.lists()
}

type Questions = Map<number, { ask: string; note: string }>

/** What the import would ask, by the column that the question is about. */
function questionsOf(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  settle: () => void,
): Questions {
  const questions: Questions = new Map()
  for (const { at, otherAt, detail } of findSameNames(mapping, sample)) {
    const field = mapping.columns[at].field ?? ''
    const ask = `Write "${field}" for the column that counts, and null for the other.`
    questions.set(at, { ask, note: detail }).set(otherAt, { ask, note: detail })
  }
  const { rival, price } = mapping
  const isPrice = 'Write "price_per_carat", "total_price", "list_price" or null.'
  const rivals = rival ? [rival.at, rival.otherAt] : []
  const rivalNote = noteOf(() => checkRivalPrices(mapping))
  for (const at of rivals) questions.set(at, { ask: isPrice, note: rivalNote ?? '' })
  const note = noteOf(settle)
  if (note !== undefined && price) {
    const ask = 'Write "field": "price_per_carat" or "field": "total_price".'
    questions.set(price.at, { ask, note })
  }
  return questions
}

/** Returns the question that a check asks, if it does. */
function noteOf(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof Refusal && error.code === 'import_unsure') return error.message
    throw error
  }
}

function missingNotes(mapping: FeedMapping, sample: readonly RawRow[]): string[] {
  const [missing, ...seen] = missingColumns(mapping, sample)
  return missing === undefined ? [] : [`${missing}; name it here.`, ...seen]
}
