import type { Db } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { getRate } from '../../pricing/exchange-rates.ts'
import type { MappedFeed } from '../mapping/apply-mapping.ts'
import { mapLateColumns } from '../mapping/map-columns.ts'
import type { FeedMapping } from '../mapping/mapping.ts'
import type { MappingFile } from '../mapping/mapping-file.ts'
import { createUnknownValues } from '../mapping/unknown-values.ts'
import { examplesOf, writeMapping } from '../mapping/write-mapping.ts'
import { checkColumns, checkTranslations } from './checks/import-checks.ts'
import { settlePriceMeaning } from './checks/price-question.ts'
import { supplierFor } from './import-supplier.ts'
import type { ImportRequest } from './report.ts'
import { openMappedFeed, understandFeed } from './understand-feed.ts'

type ExplainRequest = Pick<
  ImportRequest,
  'supplier' | 'bytes' | 'currency' | 'price' | 'mapping' | 'sheet' | 'relearn'
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
    const question = questionOf(mapping, () =>
      settlePriceMeaning(mapping, { option: request.price, learned }),
    )
    checkTranslations(mapping, feed)
    const unknown = await readUnknown(feed, mapping)
    feed.checkColumns()
    const notes = [...feed.notes, ...missingNotes(mapping)]
    const { ruleAt, sample } = feed
    const examplesAt = (at: number) => examplesOf(sample.map(({ cells }) => cells[at]))
    return writeMapping(mapping.columns, { ruleAt, examplesAt, notes, question, unknown })
  } finally {
    await feed.close()
  }
}

async function readUnknown(feed: MappedFeed, mapping: FeedMapping) {
  const unknown = createUnknownValues(mapping)
  for await (const batch of feed.rows()) {
    mapLateColumns(mapping, feed.columns)
    for (const row of batch) unknown.add(row)
  }
  return unknown.lists()
}

/** A question about the price, where the import would ask it. */
function questionOf(mapping: FeedMapping, settle: () => void) {
  try {
    settle()
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'import_unsure' || !mapping.price) throw error
    return {
      at: mapping.price.at,
      ask: 'Write "field": "price_per_carat" or "field": "total_price".',
      note: error.message,
    }
  }
}

function missingNotes(mapping: FeedMapping): string[] {
  try {
    checkColumns(mapping)
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [error.message]
  }
}
