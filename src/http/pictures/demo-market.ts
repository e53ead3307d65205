import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { shareRun } from '../../lib/one-at-a-time.ts'
import { DEMO_MEDIA_PATH, DEMO_STONES_CHECKED } from '../../pictures/demo-names.ts'

/** The demo market may be loaded or removed while the server runs. */
const KNOWN_MS = 10_000

/** Returns a function that tells whether the demo market was loaded into this database. */
export function watchDemoMarket(db: Db): () => Promise<boolean> {
  let isDemo = false
  let checkedAtMs = Number.NEGATIVE_INFINITY
  const check = shareRun(async () => {
    isDemo = await hasDemoStones(db)
    checkedAtMs = performance.now()
  })
  return async () => {
    if (performance.now() - checkedAtMs > KNOWN_MS) await check()
    return isDemo
  }
}

async function hasDemoStones(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from (
      select image_top_url from gem order by id limit ${DEMO_STONES_CHECKED}
    ) as first_stones
    where image_top_url like ${`%${DEMO_MEDIA_PATH}/%`} limit 1`.execute(db)
  return rows.length > 0
}
