import { sql } from 'kysely'
import { isLockTimeout } from '../database/errors.ts'
import type { Db, Tx } from '../database/open.ts'
import { inTransaction } from '../database/transaction.ts'
import { logChanges, type StoneChange } from '../events/change-log.ts'
import { announceProducts } from '../jewelry/showroom/store.ts'
import { DEMO_MEDIA_PATH, DEMO_STONES_CHECKED } from '../pictures/demo-names.ts'

const BATCH = 1_000

/**
 * The server draws the media of the demo market itself. When it is started with another address,
 * their links follow it. Returns how many stones have new links. The first stones, which tell the
 * address that the links have, are changed last: after an interruption, the next start goes on.
 */
export async function moveDemoMedia(db: Db, publicUrl: string): Promise<number> {
  const known = await findDemoAddress(db)
  if (known === undefined || known === publicUrl) return 0
  const from = `${known}${DEMO_MEDIA_PATH}/`
  const to = `${publicUrl}${DEMO_MEDIA_PATH}/`
  await inTransaction(db, (tx) => movePieces(tx, from, to))
  let moved = 0
  let next: number | undefined = Number.MAX_SAFE_INTEGER
  while (next !== undefined) {
    const before: number = next
    const done = await inTransaction(db, (tx) => moveStones(tx, before, from, to))
    moved += done.moved
    next = done.next
  }
  return moved
}

/**
 * The address in the links of the demo market; undefined when this is none, or when the table is
 * locked: the links are not worth a start that waits, and the next one moves them.
 */
async function findDemoAddress(db: Db): Promise<string | undefined> {
  return inTransaction(db, async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx)
    const { rows } = await sql<{ address: string }>`
      select split_part(image_top_url, ${`${DEMO_MEDIA_PATH}/`}, 1) as address
      from (
        select id, image_top_url from gem order by id limit ${DEMO_STONES_CHECKED}
      ) as first_stones
      where image_top_url like ${`%${DEMO_MEDIA_PATH}/%`} order by id limit 1`.execute(tx)
    return rows[0]?.address
  }).catch((error: unknown) => {
    if (isLockTimeout(error)) return undefined
    throw error
  })
}

async function movePieces(tx: Tx, from: string, to: string): Promise<void> {
  const { rows } = await sql<{ product_id: string }>`
    update variant set media = replace(media::text, ${from}, ${to})::json,
      updated_on = market_clock()
    where strpos(media::text, ${from}) > 0 returning product_id`.execute(tx)
  if (rows.length === 0) return
  await announceProducts(
    tx,
    rows.map(({ product_id }) => product_id),
  )
}

const LINKS = [
  'image_top_url',
  'image_bottom_url',
  'video_url',
  'ux_url',
  'cached_ux_url',
  'v360_json_base_url',
  'cert_url',
]

/** Changes the links of the stones before an id, and returns where the next batch begins. */
async function moveStones(tx: Tx, before: number, from: string, to: string) {
  const batch = await sql<{ id: number }>`
    select id from gem where id < ${before} order by id desc limit ${BATCH}`.execute(tx)
  const ids = batch.rows.map(({ id }) => id)
  await sql`
    select count(*) from (
      select from gem where id = any(${ids}::bigint[]) order by sku for update
    ) as locked`.execute(tx)
  const column = (name: string) => sql.ref(name)
  const set = LINKS.map((name) => {
    const rest = sql`substr(${column(name)}, length(${from}::text) + 1)`
    return sql`${column(name)} = case when starts_with(${column(name)}, ${from})
      then ${to} || ${rest} else ${column(name)} end`
  })
  // What the operator set by hand, and what the feed says beneath it.
  const inJson = ['overrides', 'feed_values'].map((name) => {
    return sql`${column(name)} = replace(${column(name)}::text, ${from}, ${to})::jsonb`
  })
  const isLinked = [
    ...LINKS.map((name) => sql`starts_with(${column(name)}, ${from})`),
    sql`strpos(feed_values::text, ${from}) > 0`,
  ]
  const { rows } = await sql<{ gem_id: number; sku: string; state: string }>`
    update gem set ${sql.join([...set, ...inJson])}, updated_on = market_clock()
    where id = any(${ids}::bigint[]) and (${sql.join(isLinked, sql` or `)})
    returning id as gem_id, sku, state`.execute(tx)
  const seen = rows.filter(({ state }) => state === 'available')
  const changes = seen.map(({ gem_id, sku }): StoneChange => ({ gem_id, sku, kind: 'media' }))
  await logChanges(tx, changes)
  return { moved: rows.length, next: ids.at(-1) }
}
