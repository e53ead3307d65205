import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { FeedMapping } from '../mapping/mapping.ts'
import type { Staging } from './stage-rows.ts'

/** Applies to the staged stones what a single row cannot say about its stone. */
export async function compareRows(db: Db, staging: Staging): Promise<void> {
  await dropTaken(db, staging)
  await dropUnnamedGems(db, staging)
  await joinPairs(db, staging.settings.mapping)
}

/**
 * A stone in a sheet of stock and in one of sold stones is sold: of several rows, one that takes it
 * off the market counts. The earlier rows are already staged, and are removed here.
 */
async function dropTaken(db: Db, staging: Staging): Promise<void> {
  const { taken } = staging
  if (taken.size === 0) return
  const { rows } = await sql<DroppedRow>`
    delete from feed_stage s using (
      select vendor_sku, max(n) as last from feed_stage
      where vendor_sku = any(${[...taken.keys()]}::text[]) group by vendor_sku
    ) as stone
    where s.vendor_sku = stone.vendor_sku and (s.kind = 'new' or s.n < stone.last)
    returning s."row", s.vendor_sku`.execute(db)
  rejectDropped(staging, rows, ({ vendor_sku }) => {
    return `Row ${taken.get(vendor_sku)} takes this stone off the market`
  })
}

/**
 * A list of new prices may have no column of species, so that its sapphires read as blue diamonds.
 * The stone stays the gemstone that it was; a grade of white says that it has become a diamond.
 */
async function dropUnnamedGems(db: Db, staging: Staging): Promise<void> {
  if (staging.settings.gemSigns.hasGemstones) return
  const { rows } = await sql<DroppedRow & { species: string }>`
    delete from feed_stage s using gem g
    where g.id = s.gem_id and s.kind = 'known' and g.product_type = 'gemstone'
      and s.product_type = 'diamond' and s.is_fancy
    returning s."row", s.vendor_sku, g.species`.execute(db)
  rejectDropped(staging, rows, ({ species }) => {
    return `This stone is a ${species}: the row does not say what it is`
  })
}

/** A row that was staged, and is not any more. */
interface DroppedRow {
  row: number
  vendor_sku: string
}

function rejectDropped<Row extends DroppedRow>(
  { rejections, settings: { mapping } }: Staging,
  rows: readonly Row[],
  reasonOf: (row: Row) => string,
): void {
  const { column } = mapping.columns[mapping.at.vendor_sku ?? 0]
  for (const dropped of rows) {
    const { row, vendor_sku } = dropped
    const reason = reasonOf(dropped)
    rejections.add({ row, column, value: vendor_sku, reason }, vendor_sku)
  }
}

/**
 * Pairs the two staged stones to which the file gives the same number of a set, such as
 * `MatchedSetId`. A set of one, three or more stones says nothing about pairs.
 */
async function joinPairs(db: Db, { at }: FeedMapping): Promise<void> {
  if (at.pair_set === undefined) return
  await sql`
    with pair as (
      select min(n) as one, max(n) as other from feed_stage
      where pair_set is not null and kind <> 'off' group by pair_set having count(*) = 2
    ), stone as (
      select s.n, s.vendor_sku, coalesce(g.sku, s.sku) as sku
      from feed_stage s left join gem g on g.id = s.gem_id where s.pair_set is not null
    ), partner as (
      select one as n, other as partner from pair union all select other, one from pair
    )
    update feed_stage s set pair_vendor_sku = stone.vendor_sku, pair_sku = stone.sku
    from partner join stone on stone.n = partner.partner
    where s.n = partner.n and s.pair_vendor_sku is null`.execute(db)
}
