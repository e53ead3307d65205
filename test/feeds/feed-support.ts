import { gzipSync } from 'node:zlib'
import { type DraftSettings, draftSettings } from '../../src/feeds/drafting/draft-settings.ts'
import { createDrafter } from '../../src/feeds/drafting/draft-stone.ts'
import type { GemDraft, Rejection } from '../../src/feeds/drafting/gem-draft.ts'
import { createNotes, type OtherLab } from '../../src/feeds/drafting/notes.ts'
import { applyMapping } from '../../src/feeds/mapping/apply-mapping.ts'
import { mapColumns, mapLateColumns } from '../../src/feeds/mapping/map-columns.ts'
import type { FeedMapping } from '../../src/feeds/mapping/mapping.ts'
import type { MappingFile } from '../../src/feeds/mapping/mapping-file.ts'
import { readStoneMapping } from '../../src/feeds/mapping/stone-fields.ts'
import { openFeed } from '../../src/feeds/reading/open-feed.ts'
import type { RawRow } from '../../src/feeds/reading/raw-row.ts'
import { openFile } from '../../src/feeds/reading/thread/open-file.ts'
import type { Supplier } from '../../src/gems/supplier.ts'

export const SUPPLIER: Supplier = {
  id: 1,
  uuid: '018f0000-0000-7000-8000-000000000001',
  name: 'Test Diamonds',
  contact: '',
  country_code: null,
  currency_code: 'USD',
  markup: '0.00',
  markup_us: '0.00',
  delivery_days_min: 3,
  delivery_days_max: 7,
  returnable: true,
  days_to_return: 14,
  can_hold: true,
  confirms: false,
  ships: false,
  memo: false,
  memo_days_to_return: 14,
  internal_days_to_return: 21,
  si3: 'SI2',
  fresh_days: 8,
  mapping: null,
  jewelry_mapping: null,
  stone_type: null,
  reading: null,
  synced_on: null,
  markup_set_on: null,
  created_on: '2026-01-01 00:00:00+00',
  updated_on: '2026-01-01 00:00:00+00',
}

export interface ReadStones {
  drafts: GemDraft[]
  rejections: Rejection[]
  mapping: FeedMapping
  fields: Record<string, string | null>
  si3: number
  estimated_sizes: number
  estimated_counts?: number
  worst_clarities?: number
  otherLabs: OtherLab[]
  unreadable: string[]
  damage: string | undefined
  settings: DraftSettings
  /** What the reader says of sheets and files that were joined or left out. */
  notes: string[]
  sample: RawRow[]
}

export interface ReadOptions {
  supplier?: Partial<Supplier>
  currency?: string
  rates?: Record<string, string>
  override?: MappingFile
  sheet?: string
  /** Size of the chunks that the bytes are sent in. */
  chunkBytes?: number
  /** Reads workbooks in a thread, as imports do; it takes longer to start than to read. */
  inThread?: boolean
}

/** Reads a whole feed into drafts: an import without the database. */
export async function readStones(
  content: string | Uint8Array,
  options: ReadOptions = {},
): Promise<ReadStones> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const own = readStoneMapping(options.override ?? {})
  const opened = await openFeed(inPieces(bytes, options.chunkBytes ?? 65_536), {
    mapped: new Map([...own.columns].map(([name, { field }]) => [name, field])),
    readFile: options.inThread ? undefined : openFile,
    sheet: options.sheet,
  })
  const feed = applyMapping(opened, own, { isSaved: false })
  const { decisions, rules } = feed
  const mapping = mapColumns(feed.columns, feed.sample, { decisions, rules })
  const supplier = { ...SUPPLIER, ...options.supplier }
  const rates = new Map(Object.entries({ USD: '1', ...options.rates }))
  const currency = options.currency ?? supplier.currency_code
  const settings = draftSettings(mapping, feed.sample, {
    supplier,
    currency,
    rates,
    titles: feed.titles,
  })
  const notes = createNotes()
  const drafter = createDrafter(settings, notes)
  const drafts: GemDraft[] = []
  const rejections: Rejection[] = []
  for await (const lot of feed.rows()) {
    mapLateColumns(mapping, feed.columns)
    for (const row of lot) {
      const drafted = drafter.draft(row)
      if (drafted.kind === 'offer') drafts.push(drafted.draft)
      else rejections.push(drafted.rejection)
    }
  }
  const fields = Object.fromEntries(mapping.columns.map(({ column, field }) => [column, field]))
  const unreadable = notes.values().map(({ field, value }) => `${field} ${value}`)
  const damage = feed.damage()
  const otherLabs = notes.otherLabs()
  const read = { otherLabs, drafts, rejections, mapping, fields, unreadable, damage, settings }
  return { ...read, ...notes.counts(), notes: feed.notes, sample: feed.sample }
}

export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export function gzip(content: string | Uint8Array): Buffer {
  return gzipSync(content)
}

/** Made-up stones of many weights, with prices that grow with weight as in the trade. */
export function stonesByWeight(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const weight = Number((0.3 + (index % 25) * 0.11).toFixed(2))
    const perCarat = Math.round((2_500 * weight ** 1.05 + (index % 7) * 40) / 10) * 10
    const total = (perCarat * weight).toFixed(2)
    return { stock: `S${1000 + index}`, weight, perCarat, total }
  })
}
