import { type RawBuilder, sql } from 'kysely'
import { recordEntry } from '../../audit/record-entry.ts'
import type { Db, Tx } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { earliestOf } from '../../lib/timestamps.ts'
import type { Quote, QuoteLine, QuoteRow, QuoteStatus } from './quote.ts'
import type { UnitPrices } from './quoted-prices.ts'

const COLUMNS = sql`
  uuid, merchant_uuid, currency_code, exchange_rate, hold, held_until, reason, order_uuid,
  created_on, updated_on, expires_on`

/** An open or requested quote that is past its time is expired. */
const STATUS = sql<QuoteStatus>`
  case when status in ('open', 'requested') and expires_on <= market_clock() then 'expired'
    else status end`

/** Writes the quote and its lines, and returns it. It ends so many minutes after `created_on`. */
export async function insertQuote(
  tx: Tx,
  quote: Omit<QuoteRow, 'expires_on' | 'updated_on' | 'order_uuid' | 'reason'>,
  lines: readonly QuoteLine[],
  minutes: number,
): Promise<Quote> {
  await sql`
    insert into quote (uuid, merchant_uuid, status, currency_code, exchange_rate, hold, held_until,
      created_on, updated_on, expires_on)
    values (${quote.uuid}, ${quote.merchant_uuid}, ${quote.status}, ${quote.currency_code},
      ${quote.exchange_rate}, ${quote.hold}, ${quote.held_until}, ${quote.created_on},
      ${quote.created_on}, ${endOf(quote.created_on, minutes)})`.execute(tx)
  const rows = lines.map((line) => ({ ...line, quote_uuid: quote.uuid }))
  await sql`
    insert into quote_line
    select * from json_populate_recordset(null::quote_line, ${JSON.stringify(rows)}::json)
  `.execute(tx)
  return getQuote(tx, quote.uuid)
}

/** What is answered to a quote is recorded with its event. */
export async function recordQuote(
  tx: Tx,
  action: 'quote.create' | 'quote.remove',
  before: Quote | null,
  after: Quote | null,
): Promise<void> {
  const { uuid = '', merchant_uuid } = after ?? before ?? {}
  await recordEntry(tx, {
    action,
    subject: { kind: 'quote', id: uuid },
    merchant_uuid,
    before: before && auditedFields(before),
    after: after && auditedFields(after),
  })
}

function auditedFields({ status, currency_code, hold, expires_on, lines }: Quote) {
  const line_items = lines.map(({ sku, quantity, wholesale_price, offer_price }) => ({
    sku,
    quantity,
    wholesale_price: Number(wholesale_price),
    offer_price: offer_price === null ? null : Number(offer_price),
  }))
  return { status, currency_code, hold, expires_on, line_items }
}

function endOf(time: string, minutes: number): RawBuilder<unknown> {
  return sql`${time}::timestamptz + make_interval(secs => ${minutes * 60}::float8)`
}

/** Counts the quotes of a merchant that are open or requested. */
export async function countLiveQuotes(tx: Tx, merchantUuid: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from quote
    where merchant_uuid = ${merchantUuid} and status in ('open', 'requested')
      and expires_on > market_clock()`.execute(tx)
  return rows[0].count
}

/** Returns a quote that the caller may see: the merchant's own, or any without a merchant. */
export async function getQuote(db: Db | Tx, uuid: string, merchantUuid?: string): Promise<Quote> {
  const quote = (await loadQuotes(db, [uuid])).at(0)
  if (!quote || (merchantUuid !== undefined && quote.merchant_uuid !== merchantUuid)) {
    throw new Refusal('not_found', `There is no quote ${uuid}.`)
  }
  return quote
}

/**
 * Locks a quote and reads it, with the time, in a second statement: a quote that expired during the
 * wait is expired. The lock comes before those of the stock.
 */
export async function lockQuote(
  tx: Tx,
  uuid: string,
  merchantUuid?: string,
): Promise<{ quote: Quote; now: string }> {
  await sql`select from quote where uuid = ${uuid} for update`.execute(tx)
  const quote = await getQuote(tx, uuid, merchantUuid)
  const { rows } = await sql<{ now: string }>`select market_clock() as now`.execute(tx)
  return { quote, now: rows[0].now }
}

/** Loads quotes with their lines, in the order of the uuids. */
async function loadQuotes(db: Db | Tx, uuids: readonly string[]): Promise<Quote[]> {
  if (uuids.length === 0) return []
  const isOne = sql<string>`any(${[...uuids]}::uuid[])`
  const { rows } = await sql<Omit<Quote, 'lines'>>`
    select ${COLUMNS}, ${STATUS} as status
    from quote where uuid = ${isOne}`.execute(db)
  const found = new Map(rows.map((row) => [row.uuid, { ...row, lines: [] as QuoteLine[] }]))
  const lines = await db
    .selectFrom('quote_line')
    .selectAll()
    .where('quote_uuid', '=', isOne)
    .orderBy('quote_uuid')
    .orderBy('position')
    .execute()
  for (const { quote_uuid, ...line } of lines) found.get(quote_uuid)?.lines.push(line)
  return uuids.flatMap((uuid) => found.get(uuid.toLowerCase()) ?? [])
}

/** Whether `STATUS` is this one, in a form that an index serves. */
function hasStatus(status: QuoteStatus): RawBuilder<unknown> {
  const isLive = sql`expires_on > market_now()`
  if (status === 'expired') return sql`(status in ('open', 'requested') and not ${isLive})`
  const isStored = sql`status = ${sql.lit(status)}`
  return status === 'open' || status === 'requested' ? sql`(${isStored} and ${isLive})` : isStored
}

/** A sum over the lines in US dollars, so that quotes in several currencies can be compared. */
const sumOf = (price: RawBuilder<unknown>) =>
  sql`(select sum(${price} * quantity) from quote_line where quote_uuid = quote.uuid)
    / exchange_rate`

/** What quotes can be sorted by. */
const SORTS = {
  created_on: sql`created_on`,
  expires_on: sql`expires_on`,
  status: STATUS,
  merchant_legal_dba: sql`(select lower(legal_dba) from merchant
    where merchant.uuid = merchant_uuid)`,
  line_items: sql`(select count(*) from quote_line where quote_uuid = quote.uuid)`,
  market_total: sumOf(sql`market_price`),
  offer_total: sumOf(sql`coalesce(offer_price, market_price)`),
  total: sumOf(sql`wholesale_price`),
} as const

type QuoteSort = keyof typeof SORTS
export const QUOTE_SORTS = Object.keys(SORTS) as QuoteSort[]

interface QuoteQuery {
  /** Undefined for the operator, who sees the quotes of all merchants. */
  merchant_uuid?: string | undefined
  status?: readonly QuoteStatus[] | undefined
  sort_col?: QuoteSort | undefined
  sort_order?: 'asc' | 'desc' | undefined
  limit: number
  offset: number
}

/** The uuid decides between equal ones in the same direction, so that one index serves both. */
function orderOf({ sort_col = 'created_on', sort_order = 'desc' }: QuoteQuery) {
  const direction = sort_order === 'desc' ? sql`desc` : sql`asc`
  return sql`${SORTS[sort_col]} ${direction}, uuid ${direction}`
}

/** A page of quotes, newest first unless asked otherwise, and how many there are. */
export async function searchQuotes(
  db: Db,
  query: QuoteQuery,
): Promise<{ quotes: Quote[]; total: number }> {
  const { merchant_uuid, status, limit, offset } = query
  const conditions = [sql`true`]
  if (merchant_uuid !== undefined) conditions.push(sql`merchant_uuid = ${merchant_uuid}`)
  if (status) conditions.push(sql`(${sql.join(status.map(hasStatus), sql` or `)})`)
  const matches = sql.join(conditions, sql` and `)
  const page = await sql<{ uuid: string }>`
    select uuid from quote where ${matches}
    order by ${orderOf(query)} limit ${limit} offset ${offset}`.execute(db)
  const quotes = await loadQuotes(
    db,
    page.rows.map(({ uuid }) => uuid),
  )
  // A first page that is not full needs no second query to count.
  if (offset === 0 && page.rows.length < limit) return { quotes, total: page.rows.length }
  const counted = await sql<{ total: number }>`
    select count(*) as total from quote where ${matches}`.execute(db)
  return { quotes, total: counted.rows[0].total }
}

interface Answer {
  status: 'open' | 'declined'
  reason?: string | undefined
  /** From now; the end stays unless given. */
  minutes?: number | undefined
  /** New prices, by the position of the line. */
  prices?: ReadonlyMap<number, UnitPrices>
}

/** Writes the operator's answer to a quote that is locked. */
export async function saveAnswer(
  tx: Tx,
  uuid: string,
  { status, reason = '', minutes, prices = new Map() }: Answer,
  now: string,
): Promise<Quote> {
  const end = minutes === undefined ? sql`expires_on` : endOf(now, minutes)
  await sql`
    update quote set status = ${status}, reason = ${reason}, updated_on = ${now},
      expires_on = ${end}
    where uuid = ${uuid}`.execute(tx)
  const agreed = [...prices.values()]
  await sql`
    update quote_line as line set price = agreed.price, wholesale_price = agreed.wholesale_price
    from unnest(${[...prices.keys()]}::int[], ${agreed.map(({ price }) => price)}::numeric[],
      ${agreed.map(({ wholesale_price }) => wholesale_price)}::numeric[])
      as agreed (position, price, wholesale_price)
    where line.quote_uuid = ${uuid} and line.position = agreed.position`.execute(tx)
  return getQuote(tx, uuid)
}

/**
 * Writes when the first of the quote's holds ends, whose ends have moved. It stays when one of them
 * has ended before.
 */
export async function saveHeldUntil(
  tx: Tx,
  quote: Quote,
  moved: readonly { expires_on: string }[],
): Promise<Quote> {
  const held = quote.lines.filter(({ hold_uuid }) => hold_uuid !== null)
  const held_until = earliestOf(moved.map(({ expires_on }) => expires_on))
  if (held_until === undefined || moved.length < held.length) return quote
  await tx.updateTable('quote').set({ held_until }).where('uuid', '=', quote.uuid).execute()
  return getQuote(tx, quote.uuid)
}

/** Notes the order that has the prices of the quote, which is locked: there can be only one. */
export async function markOrdered(
  tx: Tx,
  uuid: string,
  orderUuid: string,
  now: string,
): Promise<void> {
  await tx
    .updateTable('quote')
    .set({ status: 'ordered', order_uuid: orderUuid, updated_on: now })
    .where('uuid', '=', uuid)
    .execute()
}

export async function deleteQuote(tx: Tx, uuid: string): Promise<void> {
  await tx.deleteFrom('quote').where('uuid', '=', uuid).execute()
}

/** Those of the quote's holds that no other quote needs that could still be ordered. */
export async function listOwnHolds(tx: Tx, quote: Quote): Promise<string[]> {
  const { rows } = await sql<{ hold_uuid: string }>`
    select hold_uuid from quote_line as line
    where quote_uuid = ${quote.uuid} and hold_uuid is not null and not exists (
      select from quote_line as other join quote on quote.uuid = other.quote_uuid
      where other.hold_uuid = line.hold_uuid and quote.uuid <> ${quote.uuid}
        and quote.status in ('open', 'requested') and quote.expires_on > market_clock())
    order by position`.execute(tx)
  return rows.map(({ hold_uuid }) => hold_uuid)
}
