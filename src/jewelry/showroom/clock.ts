import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'

/**
 * Tells every node's copy that these products changed; none when only catalogues did. It is the
 * last thing a writer does: the row of the clock stays locked until the commit, so numbers become
 * visible in their order, and nobody waits for it longer than a commit takes.
 */
export async function announceProducts(tx: Tx, productIds: readonly string[]): Promise<void> {
  await sql`
    with clock as (
      update showroom_clock set last = last + 1 returning last
    )
    insert into product_version (product_id, version)
    select product_id, last
    from clock, unnest(${[...new Set(productIds)]}::uuid[]) as changed (product_id)
    on conflict (product_id) do update set version = excluded.version`.execute(tx)
}

/** The number of the last change; a copy that has it is up to date. */
export async function readClock(db: Db | Tx): Promise<number> {
  const { last } = await db.selectFrom('showroom_clock').select('last').executeTakeFirstOrThrow()
  return last
}
