/** What a database says about its market: which one it is, and where it is served. */
import type { Db } from '../database/open.ts'
import type { Realm } from './token.ts'

/** Returns which market the database holds; undefined before it was opened as one. */
export async function findRealm(db: Db): Promise<Realm | undefined> {
  const row = await db.selectFrom('market_realm').select('realm').executeTakeFirst()
  return row?.realm
}

/**
 * Returns which market the database holds. One that was not opened before holds the given market
 * from now on.
 */
export async function claimRealm(db: Db, realm: Realm): Promise<Realm> {
  const known = await findRealm(db)
  if (known !== undefined) return known
  await db
    .insertInto('market_realm')
    .values({ realm })
    .onConflict((c) => c.doNothing())
    .execute()
  // Of two that open it at once, the first decides.
  return (await findRealm(db)) ?? realm
}

/** Records the address in links of this start, for commands that run beside the server. */
export async function recordServedAddress(db: Db, url: string): Promise<void> {
  await db
    .insertInto('served_address')
    .values({ url })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ url }))
    .execute()
}

/** Returns the address that the last start recorded; undefined before the first start. */
export async function findServedAddress(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('served_address').select('url').executeTakeFirst()
  return row?.url
}
