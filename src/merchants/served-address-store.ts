import type { Db } from '../database/open.ts'

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
