import { sql } from 'kysely'
import type { Db } from '../database/open.ts'

/** How well a supplier delivers, from what is recorded anyway. */
const PERIODS_DAYS = [7, 30, 90] as const
/** More reasons than these are rare ones. */
const REASONS_MAX = 10
/**
 * Media and certificates are counted among so many stones, by stock number: enough for a share, and
 * the largest supplier costs no more than that.
 */
const STONES_COUNTED_MAX = 20_000

interface ScorePeriod {
  days: number
  rows: number
  share_rejected: number | null
  rejections: { reason: string; rows: number }[]
  order_lines: number
  share_declined: number | null
  share_cancelled: number | null
  hours_to_confirm: number | null
  hours_to_ship: number | null
  price_changes_per_day: number
  share_dead_media: number | null
}

interface ScoreCard {
  hours_since_import: number | null
  stones: number
  share_with_media: number | null
  share_with_certificate: number | null
  /** Of the last day with a sample. */
  share_dead_media: number | null
  periods: ScorePeriod[]
}

export async function readScoreCard(db: Db, supplierId: number): Promise<ScoreCard> {
  const { rows } = await sql<Omit<ScoreCard, 'periods' | 'share_dead_media'>>`
    select (select extract(epoch from market_now() - synced_on)::float8 / 3600 from supplier
        where id = ${supplierId}) as hours_since_import,
      count(*)::int as stones,
      avg(has_media::int)::float8 as share_with_media,
      avg(has_certificate::int)::float8 as share_with_certificate
    from (
      select coalesce(image_top_url, image_bottom_url, video_url, ux_url, cached_ux_url,
          v360_json_base_url) is not null as has_media,
        cert_num is not null as has_certificate
      from gem where supplier_id = ${supplierId} and state = 'available'
      order by vendor_sku limit ${STONES_COUNTED_MAX}
    ) as stone`.execute(db)
  const changes = await readPriceChanges(db, supplierId)
  const periods: ScorePeriod[] = []
  for (const [at, days] of PERIODS_DAYS.entries()) {
    const figures = await readPeriod(db, supplierId, days)
    const price_changes_per_day = rounded(changes[at] / days) ?? 0
    const share_dead_media = await readDeadShare(db, supplierId, days)
    periods.push({ ...figures, price_changes_per_day, share_dead_media })
  }
  const [card] = rows
  return {
    hours_since_import: rounded(card.hours_since_import),
    stones: card.stones,
    share_with_media: rounded(card.share_with_media),
    share_with_certificate: rounded(card.share_with_certificate),
    share_dead_media: await readLastDeadShare(db, supplierId),
    periods,
  }
}

/** Of the links that were sampled within so many days. */
async function readDeadShare(db: Db, supplierId: number, days: number): Promise<number | null> {
  const { rows } = await sql<{ share: number | null }>`
    select sum(dead)::float8 / nullif(sum(links), 0) as share from media_check
    where supplier_id = ${supplierId} and checked_on > market_now()::date - ${days}::int`.execute(
    db,
  )
  return rounded(rows[0].share)
}

async function readLastDeadShare(db: Db, supplierId: number): Promise<number | null> {
  const { rows } = await sql<{ share: number }>`
    select dead::float8 / links as share from media_check
    where supplier_id = ${supplierId} and links > 0
    order by checked_on desc limit 1`.execute(db)
  return rounded(rows[0]?.share ?? null)
}

async function readPeriod(db: Db, supplierId: number, days: number) {
  const imports = await readImports(db, supplierId, days)
  const lines = await readLines(db, supplierId, days)
  const share = (part: number, all: number) => (all === 0 ? null : rounded(part / all))
  return {
    days,
    rows: imports.rows,
    share_rejected: share(imports.rejected, imports.rows),
    rejections: imports.reasons,
    order_lines: lines.order_lines,
    share_declined: share(lines.declined, lines.order_lines),
    share_cancelled: share(lines.cancelled, lines.order_lines),
    hours_to_confirm: rounded(lines.hours_to_confirm),
    hours_to_ship: rounded(lines.hours_to_ship),
  }
}

/** Rows of files that were imported, and why some were rejected. */
async function readImports(db: Db, supplierId: number, days: number) {
  const recent = sql`import where supplier_id = ${supplierId} and status = 'done'
    and started_on > market_now() - make_interval(days => ${days})`
  const counted = await sql<{ rows: number; rejected: number }>`
    select coalesce(sum(rows), 0)::float8 as rows, coalesce(sum(rejected), 0)::float8 as rejected
    from ${recent}`.execute(db)
  const { rows: reasons } = await sql<{ reason: string; rows: number }>`
    select reason, count(*)::int as rows from import_rejection
    where import_uuid in (select uuid from ${recent})
    group by reason order by 2 desc, reason limit ${REASONS_MAX}`.execute(db)
  return { ...counted.rows[0], reasons }
}

/** How often prices changed in each period; of a supplier with more stones an estimate. */
async function readPriceChanges(db: Db, supplierId: number): Promise<number[]> {
  const { rows } = await sql<{ counts: number[]; counted: number; stones: number }>`
    with stone as materialized (select id from gem where supplier_id = ${supplierId}
      order by vendor_sku limit ${STONES_COUNTED_MAX})
    select array(
        select count(change.gem_id)::float8 from unnest(${[...PERIODS_DAYS]}::int[])
          with ordinality as period (days, place)
        left join (price_change as change join stone on stone.id = change.gem_id)
          on changed_on > market_now() - make_interval(days => period.days)
        group by place order by place) as counts,
      (select count(*)::int from stone) as counted,
      (select count(*)::int from gem where supplier_id = ${supplierId}) as stones`.execute(db)
  const { counts, counted, stones } = rows[0]
  return counts.map((count) => (counted === 0 ? 0 : (count * stones) / counted))
}

interface LineFigures {
  order_lines: number
  declined: number
  cancelled: number
  hours_to_confirm: number | null
  hours_to_ship: number | null
}

/** A line that its supplier did not have to confirm has no time of confirmation. */
async function readLines(db: Db, supplierId: number, days: number): Promise<LineFigures> {
  const { rows } = await sql<LineFigures>`
    select count(*)::int as order_lines,
      count(*) filter (where declined_on is not null)::int as declined,
      count(*) filter (where cancelled_quantity > 0 and declined_on is null)::int as cancelled,
      (avg(extract(epoch from confirmed_on - created_on))
        filter (where confirmed_on > created_on))::float8 / 3600 as hours_to_confirm,
      avg(extract(epoch from shipped_on - created_on))::float8 / 3600 as hours_to_ship
    from order_line line left join lateral (
      select min(f.created_on) as shipped_on from fulfillment f
      join fulfillment_line s on s.fulfillment_uuid = f.uuid
      where f.order_uuid = line.order_uuid and s.line_uuid = line.uuid
    ) as shipment on line.fulfilled_quantity > 0
    where supplier_id = ${supplierId} and product_type <> 'cert'
      and created_on > market_now() - make_interval(days => ${days})`.execute(db)
  return rows[0]
}

/** To four decimals: shares to a hundredth of a percent, hours to a second. */
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10_000) / 10_000
}
