import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { escapeCopyText, needsCopyEscape } from '../../database/copy.ts'
import type { Db } from '../../database/open.ts'
import { FEED_COLUMNS, skuOf } from '../../gems/gem.ts'
import { createTurns } from '../../lib/turns.ts'
import { type DraftSettings, settingsKey } from '../drafting/draft-settings.ts'
import { createDrafter, type Drafter } from '../drafting/draft-stone.ts'
import type { GemDraft } from '../drafting/gem-draft.ts'
import type { Notes } from '../drafting/notes.ts'
import { mapLateColumns } from '../mapping/map-columns.ts'
import type { Feed } from '../reading/open-feed.ts'
import { copyText, type RawRow } from '../reading/raw-row.ts'
import { checkReadable } from './checks/import-checks.ts'
import type { OutsideSigns } from './checks/outside-signs.ts'
import type { PriceCheck } from './checks/price-check.ts'
import type { KnownStones, RowMatch } from './known/known-stones.ts'
import { createRowDigester, hexOf, type RowDigest, type RowDigester } from './known/row-digest.ts'
import type { RejectionLog } from './rejection-log.ts'
import type { ImportSession } from './session.ts'

/** What staging a feed needs, and what it fills. */
export interface Staging {
  settings: DraftSettings
  /** The first rows, which tell how full each column is. */
  sample: readonly RawRow[]
  known: KnownStones
  prices: PriceCheck
  notes: Notes
  rejections: RejectionLog
  outside: OutsideSigns
  counts: { rows: number; unchanged: number; unreadable: number }
  /** Stones that a second row takes off the market, with the number of that row. */
  taken: Map<string, number>
  /** Which parts of the file were joined or left out. */
  fileNotes: readonly string[]
  onRows: (rows: number) => void
  /** Ends the reading when nobody waits for the report any more. */
  signal?: AbortSignal | undefined
}

/**
 * Creates the staging table. `kind` is `new`, `known` or `off` (known, but not on offer now). The
 * plan sets `op` of the known ones. `n` numbers the stones for the batches.
 */
export async function createStage(db: Db): Promise<void> {
  await sql`
    create temp table feed_stage as
    select 0 as n, 0 as "row", ''::text as kind, ''::text as op, id as gem_id, sku, feed_hash,
      0 as level, 0 as per_carat, ''::text as price_kind,
      ''::text as priced_by, ''::text as price_text, ''::text as pair_set,
      ${sql.raw(FEED_COLUMNS.join(', '))}
    from gem with no data`.execute(db)
  await sql`create temp table feed_missing (n integer, gem_id bigint)`.execute(db)
  await sql`create temp table feed_marks (n integer, gem_id bigint, gone boolean)`.execute(db)
}

const STAGE_COLUMNS = [
  'n',
  '"row"',
  'kind',
  'gem_id',
  'sku',
  'feed_hash',
  'level',
  'per_carat',
  'price_kind',
  'priced_by',
  'price_text',
  'pair_set',
  ...FEED_COLUMNS,
].join(', ')

/** Reads the feed to its end; drafts and stages only new and changed stones. */
export function stageRows(session: ImportSession, feed: Feed, staging: Staging): Promise<void> {
  const statement = `copy feed_stage (${STAGE_COLUMNS}) from stdin with (null '')`
  return session.copyIn(statement, encodeRows(feed, staging))
}

const CHUNK_CHARS = 65_536

async function* encodeRows(feed: Feed, staging: Staging): AsyncGenerator<Buffer> {
  const tools: RowTools = {
    drafter: createDrafter(staging.settings, staging.notes),
    encodeDraft: createDraftEncoder(),
    digestOf: createRowDigester(settingsKey(staging.settings)),
  }
  const turns = createTurns(staging.signal)
  let text = ''
  let n = 0
  for await (const batch of feed.rows()) {
    mapLateColumns(staging.settings.mapping, feed.columns)
    for (const row of batch) {
      // A piece of a file may have thirty thousand rows of which none is staged.
      if (turns.isOver()) await turns.next()
      staging.counts.rows++
      const line = stageRow(tools, row, n + 1, staging)
      if (line === undefined) continue
      n++
      text += line
      if (text.length >= CHUNK_CHARS) {
        yield Buffer.from(text)
        text = ''
      }
    }
    staging.onRows(staging.counts.rows)
    checkReadable(staging.counts, staging.rejections)
  }
  if (text !== '') yield Buffer.from(text)
}

interface RowTools {
  drafter: Drafter
  encodeDraft: EncodeDraft
  digestOf: RowDigester
}

/** A row with what is known of its stone. */
interface MatchedRow {
  row: RawRow
  vendorSku: string
  digest: RowDigest
  /** Absent for a row without a stock number. */
  match: RowMatch | undefined
  /** The number that both stones of a pair have. */
  pairSet: string
}

/** Returns the line to stage for a row, or undefined when it is unchanged or rejected. */
function stageRow(tools: RowTools, row: RawRow, n: number, staging: Staging): string | undefined {
  const { drafter, digestOf } = tools
  const vendorSku = drafter.vendorSku(row)
  const digest = digestOf((row.part ?? '') + (row.takenBy ?? '') + (row.namedShape ?? ''), row.raw)
  const match = vendorSku === '' ? undefined : staging.known.matchRow(vendorSku, row.row, digest)
  // The other stone of the pair may be a new one, which the row alone does not tell.
  const pairSet = drafter.pairSet(row)
  if (match?.isUnchanged && pairSet === '') {
    staging.counts.unchanged++
    return undefined
  }
  return stageChanged(tools, { row, vendorSku, digest, match, pairSet }, n, staging)
}

function stageChanged(
  { drafter, encodeDraft }: RowTools,
  { row, vendorSku, digest, match, pairSet }: MatchedRow,
  n: number,
  staging: Staging,
): string | undefined {
  const { settings, rejections, counts, prices } = staging
  const headOf = (kind: 'new' | 'known' | 'off', gemId: number | undefined, sku: string) =>
    `${n}\t${row.row}\t${kind}\t${gemId ?? ''}\t${sku}\t\\\\x${hexOf(digest)}`
  const offLine = (gemId: number) =>
    `${headOf('off', gemId, '')}\t${NO_PRICE}\t${encodeOff(vendorSku)}\n`
  if (match?.duplicateOf !== undefined) {
    const taken = drafter.findTaken(row)
    const reason = `Row ${match.duplicateOf} already has this stock number`
    if (taken) staging.taken.set(copyText(vendorSku), row.row)
    if (taken && match.gemId !== undefined) return offLine(match.gemId)
    rejections.add(taken ?? drafter.reject(row, reason), vendorSku, ownCells(row))
    counts.unreadable++
    return undefined
  }
  const drafted = drafter.draft(row)
  if (drafted.kind === 'offer') {
    const { draft } = drafted
    const isNew = match?.gemId === undefined
    const sku = isNew ? skuOf(settings.supplier.uuid, vendorSku) : ''
    const head = headOf(isNew ? 'new' : 'known', match?.gemId, sku)
    const priceText = escapeCopyText(drafted.price_text)
    const price = `${prices.add(draft)}\t${drafted.priced_by}\t${priceText}`
    const set = escapeCopyText(pairSet)
    if (prices.isDoubtful()) rejections.keepCells(vendorSku, row.ownCells ?? row.cells)
    return `${head}\t${price}\t${set}\t${encodeDraft(draft, row)}\n`
  }
  if (drafted.kind === 'off' && match?.gemId !== undefined) {
    const { value } = drafted.rejection
    if (drafted.isUnknown) staging.notes.unreadable('availability', value, row.row)
    return offLine(match.gemId)
  }
  if (drafted.kind === 'rejected') counts.unreadable++
  staging.outside.seeRow(row)
  rejections.add(drafted.rejection, vendorSku, ownCells(row))
  return undefined
}

/** What goes back to the supplier is its own text, without the translations of a mapping. */
function ownCells({ cells, ownCells: own }: RawRow): { cells: string[] } {
  return { cells: own ?? cells }
}

/**
 * Writes a draft's values as COPY's text, null being empty: a draft holds no empty text. They are
 * pieces of the row: when the row has nothing to escape, none of them has.
 *
 * COPY takes values by position. Reading them from the draft by name takes twice as long as
 * `Object.values`, so the literal in assemble-draft.ts has to keep the order of FEED_COLUMNS. All
 * drafts come from that literal: checking the first one is enough.
 */
function createDraftEncoder(): EncodeDraft {
  let isChecked = false
  return (draft, row) => {
    if (!isChecked) assert.deepEqual(Object.keys(draft), FEED_COLUMNS)
    isChecked = true
    const values = Object.values(draft)
    // JSON is not a piece of the row: quotes in it are written with a backslash.
    const hasJson = draft.v360_info !== null || draft.sustainability_details !== null
    if (!hasJson && !mayNeedEscape(row)) return values.join('\t')
    return values
      .map((value) => (typeof value === 'string' ? escapeCopyText(value) : value))
      .join('\t')
  }
}

/**
 * Whether a value of the row may have a character that COPY escapes. What a mapping wrote into the
 * row is not a piece of its text.
 */
function mayNeedEscape({ raw, ownCells: own }: RawRow): boolean {
  // The text of a row with quotes ends with its carriage return, which no value has.
  return own !== undefined || needsCopyEscape(raw.endsWith('\r') ? raw.slice(0, -1) : raw)
}

type EncodeDraft = (draft: GemDraft, row: RawRow) => string

/** The columns from `level` to `pair_set`, which a stone that is not on offer does not have. */
const NO_PRICE = '\t'.repeat(5)

/** A stone that is not on offer: of its columns only the stock number is staged. */
function encodeOff(vendorSku: string): string {
  return FEED_COLUMNS.map((column) =>
    column === 'vendor_sku' ? escapeCopyText(vendorSku) : '',
  ).join('\t')
}
