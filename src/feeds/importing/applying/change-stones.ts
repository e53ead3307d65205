import { sql } from 'kysely'
import type { Tx } from '../../../database/open.ts'
import { logChanges, type StoneChange } from '../../../events/change-log.ts'
import { recordEnded } from '../../../gems/holds/end-holds.ts'
import { fed, setFed } from '../../../gems/operator/override-fields.ts'
import { CHANGED_COLUMNS, JOURNAL_COLUMNS, list } from '../stage-columns.ts'

/**
 * The quantity after the import. When a feed repeats its number, what we sold of a parcel stays
 * sold; a lower number is the supplier's own sale; a higher one adds the difference.
 */
const QUANTITY_AFTER = sql`case
  when s.op = 'off' then 0
  when g.product_type <> 'melee' or g.state = 'gone' or g.feed_quantity is null then s.quantity
  when s.quantity < g.feed_quantity then least(g.quantity, s.quantity)
  else g.quantity + s.quantity - g.feed_quantity end`

/** The journal has what the feed said, also of a stone that the operator changed. */
const BEFORE = sql.raw(JOURNAL_COLUMNS.map(fed).join(', '))

/** Applies the changes of a range of staged stones, after writing them to the journal. */
export async function changeStones(tx: Tx, importUuid: string, from: number, to: number) {
  // Counted before the first lock, so that others wait for the stones as briefly as possible.
  const planned = await countPlanned(tx, from, to)
  await sql`
    select count(*) from (
      select from gem g join feed_stage s on s.gem_id = g.id
      where s.n between ${from} and ${to} and s.op <> 'skip' order by g.sku for update of g
    ) as locked`.execute(tx)
  // Only the row's text has changed: the new digest is stored, and the stone stays as it is.
  await sql`
    update gem g set feed_hash = s.feed_hash, cost_exact = s.cost_exact from feed_stage s
    where g.id = s.gem_id and s.n between ${from} and ${to} and s.op = 'same'`.execute(tx)
  await sql`
    insert into import_before (import_uuid, gem_id, quantity_after, ${list(JOURNAL_COLUMNS)})
    select ${importUuid}, g.id, ${QUANTITY_AFTER}, ${BEFORE}
    from feed_stage s join gem g on g.id = s.gem_id
    where s.n between ${from} and ${to} and s.op not in ('same', 'skip')
      and g.state not in ('sold', 'memo')
      and (s.op <> 'off' or life_state(g) <> 'held')`.execute(tx)
  const removed = sql`
    select s.gem_id from feed_stage s
    join import_before b on b.import_uuid = ${importUuid} and b.gem_id = s.gem_id
    where s.n between ${from} and ${to} and s.op = 'off'`
  await recordEnded(tx, removed)
  const changes = await updateStones(tx, importUuid, from, to)
  await logChanges(
    tx,
    changes.flatMap(({ op: _, ...change }) => (change.kind ? [change] : [])),
  )
  const off = changes.filter(({ op }) => op === 'off').length
  return { changed: changes.length, planned, off }
}

async function countPlanned(tx: Tx, from: number, to: number): Promise<number> {
  const { rows } = await sql<{ planned: number }>`
    select count(*) as planned from feed_stage
    where n between ${from} and ${to} and kind <> 'new' and op not in ('same', 'skip')`.execute(tx)
  return rows[0].planned
}

interface Changed extends StoneChange {
  op: string
}

/** `kind` is null for a stone that followers could not see before and cannot see now. */
async function updateStones(tx: Tx, importUuid: string, from: number, to: number) {
  const set = setFed(
    CHANGED_COLUMNS,
    (column) => `case when s.op = 'off' then ${fed(column)} else s.${column} end`,
  )
  const { rows } = await sql<Changed>`
    update gem g set ${sql.raw(set)},
      feed_hash = s.feed_hash,
      feed_gone = s.op = 'off' and g.feed_gone,
      feed_quantity = case when s.op = 'off' and g.state = 'disabled' then null
        else coalesce(s.quantity, g.feed_quantity) end,
      quantity = b.quantity_after,
      state = case
        when g.state = 'available' and s.op = 'off' then 'gone'
        when g.state = 'gone' and s.op <> 'off' then 'available'
        else g.state end,
      mover = case when (s.op = 'off' and g.state = 'available')
        or (s.op <> 'off' and g.state = 'gone') then 'feed' end,
      hold_uuid = case when s.op <> 'off' then g.hold_uuid end,
      hold_merchant_uuid = case when s.op <> 'off' then g.hold_merchant_uuid end,
      hold_created_on = case when s.op <> 'off' then g.hold_created_on end,
      hold_expires_on = case when s.op <> 'off' then g.hold_expires_on end,
      updated_on = market_clock()
    from feed_stage s
    join import_before b on b.import_uuid = ${importUuid} and b.gem_id = s.gem_id
    where g.id = s.gem_id and s.n between ${from} and ${to} and s.op not in ('same', 'skip')
    returning g.id as gem_id, g.sku, s.op,
      nullif(b.product_type, g.product_type) as former_type, case
        when b.state = 'available' and g.state = 'gone' then 'gone'
        when b.state = 'gone' and g.state = 'available' then 'back'
        when g.state <> 'available' then null
        -- A parcel stays available when it is sold out.
        when b.quantity = 0 and g.quantity = 0 then null
        when g.quantity = 0 then 'gone'
        when b.quantity = 0 then 'back'
        when s.op in ('price', 'media') then s.op
        else 'details' end as kind`.execute(tx)
  return rows
}

/** Removes the stones that the file no longer lists. */
export async function removeStones(tx: Tx, importUuid: string, from: number, to: number) {
  await sql`
    select count(*) from (
      select from gem g join feed_missing m on m.gem_id = g.id
      where m.n between ${from} and ${to} order by g.sku for update of g
    ) as locked`.execute(tx)
  await sql`
    insert into import_before (import_uuid, gem_id, quantity_after, ${list(JOURNAL_COLUMNS)})
    select ${importUuid}, g.id, 0, ${BEFORE}
    from feed_missing m join gem g on g.id = m.gem_id
    where m.n between ${from} and ${to}
      and (life_state(g) = 'available' or (g.state = 'disabled' and g.quantity > 0))`.execute(tx)
  const removed = sql`
    select m.gem_id from feed_missing m
    join import_before b on b.import_uuid = ${importUuid} and b.gem_id = m.gem_id
    where m.n between ${from} and ${to}`
  await recordEnded(tx, removed)
  const { rows } = await sql<{ gem_id: number; sku: string; state: string }>`
    update gem g set ${SET_REMOVED}
    from feed_missing m
    join import_before b on b.import_uuid = ${importUuid} and b.gem_id = m.gem_id
    where g.id = m.gem_id and m.n between ${from} and ${to}
    returning g.id as gem_id, g.sku, b.state`.execute(tx)
  const seen = rows.filter(({ state }) => state === 'available')
  await logChanges(
    tx,
    seen.map(({ gem_id, sku }) => ({ gem_id, sku, kind: 'gone' })),
  )
  return rows.length
}

/**
 * Records whether the feed still lists stones that are sold, on memo or held. A stone that was
 * released since the plan was made is on sale again; the next file without it removes it.
 */
export async function markStones(tx: Tx, importUuid: string, from: number, to: number) {
  const isMarked = sql`m.n between ${from} and ${to} and g.feed_gone <> m.gone
    and (not m.gone or g.state in ('sold', 'memo') or life_state(g) = 'held')`
  await sql`
    select count(*) from (
      select from gem g join feed_marks m on m.gem_id = g.id
      where m.n between ${from} and ${to} order by g.sku for update of g
    ) as locked`.execute(tx)
  await sql`
    insert into import_before (import_uuid, gem_id, quantity_after, ${list(JOURNAL_COLUMNS)})
    select ${importUuid}, g.id, g.quantity, ${BEFORE}
    from feed_marks m join gem g on g.id = m.gem_id where ${isMarked}
    on conflict do nothing`.execute(tx)
  await sql`
    update gem g set feed_gone = m.gone from feed_marks m
    where g.id = m.gem_id and ${isMarked}`.execute(tx)
}

/**
 * How a feed removes a stone `g`; a disabled one keeps its state and loses its stock. Without the
 * number that the feed offered, a parcel has left the feed, and is not sold out.
 */
export const SET_REMOVED = sql`
  state = case when g.state = 'available' then 'gone' else g.state end,
  mover = case when g.state = 'available' then 'feed' end,
  feed_quantity = case when g.state <> 'disabled' then g.feed_quantity end,
  quantity = 0, hold_uuid = null, hold_merchant_uuid = null, hold_created_on = null,
  hold_expires_on = null, updated_on = market_clock()`
