import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { columnTypes, type Db, kyselyOn } from '../database/open.ts'
import { openSession } from '../database/watch-sessions.ts'
import type { BulkReads, BulkSource } from '../events/bulk-reads.ts'
import { hasUnnumberedProducts, lastSequence } from '../events/change-log.ts'
import { IS_TREATED, ON_SALE } from '../gems/gem-life.ts'
import type { Terms } from '../gems/gem-rendering.ts'
import { isParcel, listParcelIds, readGems } from '../gems/gem-store.ts'
import { leadsIn, STONE_HELD_UNTIL, WITH_OFFERS } from '../gems/offer-store.ts'
import { parcelJson } from '../gems/parcels.ts'
import { termsWriter } from '../gems/search/page.ts'
import { readViewer, streamListings } from '../jewelry/listings.ts'
import { createProductJson } from '../jewelry/showroom/product-json.ts'
import { centsFrom } from '../lib/money.ts'
import { createSlots, type Slots } from '../lib/slots.ts'
import { getMerchant } from '../merchants/merchant-store.ts'
import { listColumn, type PriceList } from '../pricing/price-list.ts'
import { type PriceRules, WEIGHT_DECIMALS } from '../pricing/price-rules.ts'
import { readPriceRules } from '../pricing/price-rules-cache.ts'
import { offRapHundredths, priceStone } from '../pricing/prices.ts'
import type { GemType } from '../reference/attributes.ts'
import { jewelryKinds, type ProductKind } from './product-kinds.ts'
import { stoneExpression } from './snapshot-fields.ts'

/** Each snapshot has a connection and an open transaction for as long as its reader takes. */
const SNAPSHOTS_MAX = 4
/** A merchant needs one; the second is for a client that starts again before the first ends. */
const SNAPSHOTS_PER_MERCHANT_MAX = 2
/** A slower reader is disconnected, so that PostgreSQL can remove old row versions. */
const SNAPSHOT_MS_MAX = 15 * 60_000

/** How many snapshots a node sends at the same time. A slot is used until its response closes. */
export function createSnapshotSlots(): Slots {
  return createSlots({
    total: SNAPSHOTS_MAX,
    perCaller: SNAPSHOTS_PER_MERCHANT_MAX,
    shareUsed: {
      code: 'too_many_snapshots',
      detail: `A merchant takes at most ${SNAPSHOTS_PER_MERCHANT_MAX} snapshots at the same time.`,
    },
    allTaken: {
      code: 'not_ready',
      detail: 'Too many snapshots are being taken; try again in a minute.',
    },
  })
}

/** What a merchant's copy of the market is to have. */
interface SnapshotRequest {
  merchantUuid: string
  kinds: readonly ProductKind[]
  /** Whether it is to have treated diamonds. */
  includeTreated: boolean
}

interface SnapshotDeps {
  publicUrl: string
  /** From where it is read. */
  bulk: BulkReads
}

/**
 * All products of the requested kinds at the merchant's prices, as lines of JSON, some at a time.
 *
 * One transaction sees one moment: the products, the merchant's margins and rate, and the number of
 * the change log belong together, so that the changes after that number lead from these products
 * to any later snapshot.
 */
export async function* streamSnapshot(
  { publicUrl, bulk }: SnapshotDeps,
  request: SnapshotRequest,
): AsyncGenerator<string | Buffer> {
  const { merchantUuid, kinds, includeTreated } = request
  const started = await bulk.read((source) => startSnapshot(source, merchantUuid))
  const { client, db, merchant, rules, sequence, close } = started
  const tooLong = setTimeout(() => void client.end(), SNAPSHOT_MS_MAX)
  try {
    const { currency_code } = rules
    yield `${JSON.stringify({ kind: 'snapshot', sequence: Number(sequence), currency_code })}\n`
    let count = 0
    for (const kind of kinds.filter(isSingleStone)) {
      const own =
        kind === 'diamond' ? rules : await readPriceRules(db, merchant, currency_code, kind)
      for await (const some of readVisible(client, kind, own, publicUrl, includeTreated)) {
        count += some.count
        yield some.lines
      }
    }
    for await (const lines of readOthers(db, request, rules, publicUrl)) {
      count += lines.length
      yield lines.map((line) => `${line}\n`).join('')
    }
    yield `${JSON.stringify({ kind: 'end', count })}\n`
  } catch (error) {
    // The caller must begin again, and then from the primary.
    if (started.server === 'replica') bulk.giveUp(error)
    throw error
  } finally {
    clearTimeout(tooLong)
    // When the reader disconnects early, this ends the running COPY with the connection.
    await close()
  }
}

/** Opens the transaction of a snapshot, and reads what its first line says. */
async function startSnapshot(source: BulkSource, merchantUuid: string) {
  const { url, server } = source
  const applicationName = 'pavilion snapshot'
  const { client, close } = await openSession({ url, applicationName, types: columnTypes })
  try {
    await beginNumbered(client, source)
    // Parallel workers would only pass rows on to the one that sends them, which takes a sixth
    // longer (bench/snapshot).
    await client.query('set local max_parallel_workers_per_gather = 0')
    const db = kyselyOn(client)
    const merchant = await getMerchant(db, merchantUuid)
    const rules = await readPriceRules(db, merchant)
    const sequence = await lastSequence(db)
    return { server, client, db, merchant, rules, sequence, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Jewelry changes rarely, so the first attempt is nearly always enough. */
const BEGIN_ATTEMPTS_MAX = 20

/**
 * Begins the transaction of a snapshot at a moment at which the log has all that happened to
 * jewelry: a product that was shown and hidden again before it was numbered is in no entry of the
 * log, so a snapshot must not show it. Stones need no such care, because each of their changes is
 * logged.
 */
async function beginNumbered(client: pg.Client, source: BulkSource): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    if (attempt > 1) await source.follow()
    await client.query('begin isolation level repeatable read read only')
    if (attempt === BEGIN_ATTEMPTS_MAX || !(await hasUnnumberedProducts(kyselyOn(client)))) return
    await client.query('rollback')
  }
}

/** Single stones are many, and PostgreSQL prints most of their JSON. */
function isSingleStone(kind: ProductKind): kind is 'diamond' | 'gemstone' {
  return kind === 'diamond' || kind === 'gemstone'
}

/** Which stones are in a merchant's copy of the market: of each stone the leading offer. */
const visibleIn = (kind: ProductKind, list: PriceList, includeTreated: boolean) =>
  `${WITH_OFFERS} where product_type = '${kind}' and ${ON_SALE} and ${leadsIn(list)}
    and ${includeTreated ? 'true' : `not ${IS_TREATED}`}`

/** Lines of JSON, and how many there are. */
interface SnapshotLines {
  lines: Buffer
  count: number
}

/**
 * The visible stones of a kind as lines of JSON, some at a time, by a streaming COPY, which reads
 * no faster than the caller takes the lines. What PostgreSQL printed stays bytes; only the terms
 * are text.
 */
async function* readVisible(
  client: pg.Client,
  kind: 'diamond' | 'gemstone',
  rules: PriceRules,
  publicUrl: string,
  includeTreated: boolean,
): AsyncGenerator<SnapshotLines> {
  const { select, linesOf } = lineWriter(kind, rules, publicUrl)
  const visible = visibleIn(kind, rules.list, includeTreated)
  const query = copyTo(`copy (select ${select} from ${visible}) to stdout`)
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of client.query(query)) {
    const read = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer])
    const end = read.lastIndexOf(LINE_END) + 1
    rest = read.subarray(end)
    if (end > 0) yield linesOf(read.subarray(0, end))
  }
}

/** How many parcels are read at a time. */
const PARCELS = 500

/** Parcels, jewelry and watches: thousands of them, which are read and rendered batch by batch. */
async function* readOthers(
  db: Db,
  { merchantUuid, kinds }: SnapshotRequest,
  rules: PriceRules,
  publicUrl: string,
): AsyncGenerator<string[]> {
  const parcelIds = kinds.includes('melee') ? await listParcelIds(db) : []
  for (let from = 0; from < parcelIds.length; from += PARCELS) {
    const gems = await readGems(db, parcelIds.slice(from, from + PARCELS))
    yield gems.filter(isParcel).map((gem) => parcelJson(gem, rules, publicUrl))
  }
  const types = jewelryKinds(kinds)
  if (types.length === 0) return
  const viewer = await readViewer(db, merchantUuid)
  const productJson = createProductJson()
  for (const type of types) {
    for await (const rows of streamListings(db, type, merchantUuid)) {
      yield rows.map((row) => productJson.renderListing(row, viewer))
    }
  }
}

const LINE_END = 0x0a
const BRACE = 0x7b
const BACKSLASH = 0x5c

/** Decides once per snapshot what is selected, and how rows of COPY's text become lines. */
function lineWriter(kind: 'diamond' | 'gemstone', rules: PriceRules, publicUrl: string) {
  const price = listColumn('wholesale_price', rules.list)
  const isHeld = `(${STONE_HELD_UNTIL}) is not null`
  const terms = [price, `coalesce(list_price::text, '')`, 'weight', 'type', isHeld]
  const write = termsWriter(rules)
  function linesOf(rows: Buffer): SnapshotLines {
    const parts: Buffer[] = []
    let count = 0
    for (let start = 0; start < rows.length; count++) {
      const end = rows.indexOf(LINE_END, start)
      const brace = rows.indexOf(BRACE, start)
      const printed = rows.toString('latin1', start, brace).split('\t')
      const ownTerms = `${write(termsFrom(printed, rules))}\n`
      parts.push(unescaped(rows.subarray(brace, end)), Buffer.from(ownTerms, 'latin1'))
      start = end + 1
    }
    return { lines: Buffer.concat(parts), count }
  }
  return { select: [...terms, stoneExpression(kind, publicUrl)].join(', '), linesOf }
}

/** COPY doubles every backslash. Control characters are escaped already, because it is JSON. */
function unescaped(bytes: Buffer): Buffer {
  if (!bytes.includes(BACKSLASH)) return bytes
  return Buffer.from(bytes.toString().replaceAll('\\\\', '\\'))
}

/** change-feed.ts explains why a hold counts as it is stored, whatever the clock says. */
function termsFrom(printed: string[], rules: PriceRules): Terms {
  const [price, listPrice, weight, type, isHeld] = printed
  const scaled = Math.round(Number(weight) * 10 ** WEIGHT_DECIMALS)
  const prices = priceStone(rules, type as GemType, scaled, centsFrom(price))
  const list = listPrice === '' ? null : centsFrom(listPrice)
  const off_rap = offRapHundredths(prices.base_wholesale_price, list)
  return { ...prices, off_rap, on_hold: isHeld === 't' }
}
