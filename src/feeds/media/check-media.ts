import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { checkLink, type LinkSettings } from './check-link.ts'

/** As many links as one supplier's sample has: a share to about ten percent. */
const SAMPLE_LINKS = 50
/** Links at a time, so that no server of a supplier feels it. */
const RUNNING_MAX = 4
/** Longer than the longest period of a score card. */
const KEPT_DAYS = 120

/**
 * Tries a random sample of the links to media of one supplier that was not sampled today, and
 * stores how many are dead. Returns false when every supplier was. Any node may run it.
 */
export async function checkMedia(db: Db, settings: LinkSettings): Promise<boolean> {
  const supplierId = await claimSupplier(db)
  if (supplierId === undefined) return false
  const links = await readSample(db, supplierId)
  const counts = { alive: 0, dead: 0, unknown: 0 }
  const checkSome = async () => {
    for (let link = links.pop(); link !== undefined; link = links.pop()) {
      counts[await checkLink(link, settings)]++
    }
  }
  await Promise.all(Array.from({ length: RUNNING_MAX }, checkSome))
  await sql`update media_check set links = ${counts.alive + counts.dead}, dead = ${counts.dead}
    where supplier_id = ${supplierId} and checked_on = (
      select max(checked_on) from media_check where supplier_id = ${supplierId})`.execute(db)
  await sql`delete from media_check where supplier_id = ${supplierId}
    and checked_on < market_now()::date - ${KEPT_DAYS}::int`.execute(db)
  return true
}

async function claimSupplier(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ supplier_id: number }>`
    insert into media_check (supplier_id, checked_on)
    select id, market_now()::date from supplier
    where not exists (select from media_check as done
      where done.supplier_id = supplier.id and done.checked_on = market_now()::date)
    order by id limit 1
    on conflict do nothing returning supplier_id`.execute(db)
  return rows[0]?.supplier_id
}

async function readSample(db: Db, supplierId: number): Promise<string[]> {
  const { rows } = await sql<{ link: string }>`
    select coalesce(image_top_url, video_url, image_bottom_url, ux_url) as link from gem
    where supplier_id = ${supplierId} and state = 'available'
      and coalesce(image_top_url, video_url, image_bottom_url, ux_url) is not null
    order by random() limit ${SAMPLE_LINKS}`.execute(db)
  return rows.map(({ link }) => link)
}
