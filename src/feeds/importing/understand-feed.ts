/** Opens a file with the supplier's mapping, and decides what its columns and prices mean. */
import type { Db } from '../../database/open.ts'
import type { Supplier } from '../../gems/supplier.ts'
import { loadRates } from '../../pricing/exchange-rates.ts'
import { applyMapping, type MappedFeed } from '../mapping/apply-mapping.ts'
import { mappedNames } from '../mapping/list-names.ts'
import { mapColumns } from '../mapping/map-columns.ts'
import type { FeedMapping } from '../mapping/mapping.ts'
import { readStoneMapping } from '../mapping/stone-fields.ts'
import { openFeed } from '../reading/open-feed.ts'
import { type FileReading, learnedFrom } from './file-reading.ts'
import type { ImportRequest } from './report.ts'

type FeedRequest = Pick<ImportRequest, 'bytes' | 'mapping' | 'sheet' | 'relearn' | 'price'>

/** Opens the file with the mapping of this import, or with the supplier's. */
export async function openMappedFeed(
  { bytes, mapping, sheet }: FeedRequest,
  supplier: Supplier,
  { isExplained = false } = {},
): Promise<MappedFeed> {
  const own = readStoneMapping(mapping ?? supplier.mapping ?? {})
  const feed = await openFeed(bytes, { mapped: mappedNames(own), isExplained, sheet })
  try {
    return applyMapping(feed, own, { isSaved: mapping === undefined })
  } catch (error) {
    await feed.close()
    throw error
  }
}

interface UnderstoodFeed {
  mapping: FeedMapping
  /** What was understood of the supplier's last file. */
  learned: FileReading | undefined
  rates: ReadonlyMap<string, string>
}

export async function understandFeed(
  db: Db,
  feed: MappedFeed,
  { supplier, currency, relearn }: { supplier: Supplier; currency: string; relearn?: boolean },
): Promise<UnderstoodFeed> {
  const { columns, sample, decisions, rules } = feed
  const rates = await loadRates(db)
  const learned = relearn ? undefined : learnedFrom(supplier)
  const dollarsPerUnit = (named: string | undefined) =>
    1 / Number(rates.get(named ?? currency) ?? 1)
  const hints = { decisions, rules, learned, dollarsPerUnit }
  return { mapping: mapColumns(columns, sample, hints), learned, rates }
}
