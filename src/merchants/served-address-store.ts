import type { Db } from '../database/open.ts'

/** Writes down the address that this start hands out in links. */
export async function recordServedAddress(db: Db, url: string): Promise<void> {
  await db
    .insertInto('served_address')
    .values({ url })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ url }))
    .execute()
}

/** The address that the last start handed out; undefined before the first. */
export async function findServedAddress(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('served_address').select('url').executeTakeFirst()
  return row?.url
}
