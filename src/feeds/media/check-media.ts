import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { checkLink, type LinkSettings } from './check-link.ts'

/** As many links as one supplier's sample has: a share to about ten percent. */
const SAMPLE_LINKS = 50
/** Links at a time, so that no server of a supplier feels it. */
const RUNNING_MAX = 4
/** Longer than the longest period of a score card. */
const KEPT_DAYS = 120

/** A minute between two suppliers, so that many suppliers are not asked at once. */
const PERIOD_MS = 60_000

/** Samples one supplier after another while the server runs. */
export function startMediaChecks(
  db: Db,
  settings: LinkSettings,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= checkMedia(db, { ...settings, signal: stopping.signal })
      .catch(onError)
      .finally(() => {
        running = undefined
      })
  }, PERIOD_MS).unref()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}

/**
 * Tries a random sample of the links to media of one supplier that was not sampled today, and
 * stores how many are dead. Returns false when every supplier was. Any node may run it. When it is
 * stopped the supplier counts as not sampled.
 */
export async function checkMedia(db: Db, settings: LinkSettings): Promise<boolean> {
  const supplierId = await claimSupplier(db)
  if (supplierId === undefined) return false
  const links = await readSample(db, supplierId)
  const counts = { alive: 0, dead: 0, unknown: 0 }
  const checkSome = async () => {
    while (!settings.signal?.aborted) {
      const link = links.pop()
      if (link === undefined) return
      counts[await checkLink(link, settings)]++
    }
  }
  await Promise.all(Array.from({ length: RUNNING_MAX }, checkSome))
  if (settings.signal?.aborted) {
    await giveBack(db, supplierId)
    return false
  }
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

async function giveBack(db: Db, supplierId: number): Promise<void> {
  await sql`delete from media_check where supplier_id = ${supplierId}
    and checked_on = market_now()::date`.execute(db)
}

async function readSample(db: Db, supplierId: number): Promise<string[]> {
  const { rows } = await sql<{ link: string }>`
    select coalesce(image_top_url, video_url, image_bottom_url, ux_url) as link from gem
    where supplier_id = ${supplierId} and state = 'available'
      and coalesce(image_top_url, video_url, image_bottom_url, ux_url) is not null
    order by random() limit ${SAMPLE_LINKS}`.execute(db)
  return rows.map(({ link }) => link)
}
