import { type DraftSettings, draftSettings } from '../../../src/feeds/drafting/draft-settings.ts'
import { createDrafter } from '../../../src/feeds/drafting/draft-stone.ts'
import type { GemDraft, Rejection } from '../../../src/feeds/drafting/gem-draft.ts'
import { createNotes } from '../../../src/feeds/drafting/notes.ts'
import { checkColumns } from '../../../src/feeds/importing/checks/import-checks.ts'
import {
  checkOneHeader,
  createOutsideSigns,
} from '../../../src/feeds/importing/checks/outside-signs.ts'
import {
  checkRivalPrices,
  settlePriceMeaning,
} from '../../../src/feeds/importing/checks/price-question.ts'
import { checkSameNames } from '../../../src/feeds/importing/checks/same-names.ts'
import {
  checkReading,
  type FileReading,
  readingOf,
} from '../../../src/feeds/importing/file-reading.ts'
import { mapColumns } from '../../../src/feeds/mapping/map-columns.ts'
import { openFeed } from '../../../src/feeds/reading/open-feed.ts'
import { Refusal } from '../../../src/lib/refusal.ts'
import { inPieces, SUPPLIER } from '../feed-support.ts'
import { RATE_TEXTS } from './compare.ts'

/** What an import makes of a file, without a database: a refusal of the whole, or its rows. */
export interface FileResult {
  refusal: string | undefined
  drafts: Map<string, GemDraft>
  rejections: Rejection[]
  reading: FileReading | undefined
}

/** The steps of an import before it compares prices with the market. */
export async function importFile(bytes: Uint8Array, learned?: FileReading): Promise<FileResult> {
  const result: FileResult = {
    refusal: undefined,
    drafts: new Map(),
    rejections: [],
    reading: undefined,
  }
  try {
    const feed = await openFeed(inPieces(bytes, 65_536))
    const mapping = mapColumns(feed.columns, feed.sample, { learned })
    checkColumns(mapping)
    checkSameNames(mapping, feed.sample)
    checkRivalPrices(mapping)
    settlePriceMeaning(mapping, { option: undefined, learned })
    const settings: DraftSettings = draftSettings(mapping, feed.sample, {
      supplier: SUPPLIER,
      currency: 'USD',
      rates: new Map(Object.entries(RATE_TEXTS)),
      learned,
      titles: feed.titles,
    })
    result.reading = readingOf(settings, [])
    checkReading(learned, result.reading, mapping.columns)
    const { columns, titles } = feed
    const outside = createOutsideSigns({ columns, titles, fileName: '', supplierName: '' })
    const drafter = createDrafter(settings, createNotes())
    for await (const rows of feed.rows()) {
      for (const row of rows) {
        const drafted = drafter.draft(row)
        if (drafted.kind === 'offer') result.drafts.set(drafted.draft.vendor_sku, drafted.draft)
        else {
          outside.seeRow(row)
          result.rejections.push(drafted.rejection)
        }
      }
    }
    checkOneHeader(outside)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    result.refusal = `${error.code}: ${error.message}`
  }
  return result
}
