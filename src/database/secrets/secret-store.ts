/** Where sealed values are stored, and which key is in use. */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../open.ts'
import type { Sealed } from '../tables/columns.ts'

export interface SecretColumn {
  table: string
  column: string
}

/** Every column with sealed values. A rotation encrypts what is listed here. */
export const SECRET_COLUMNS: readonly SecretColumn[] = [
  { table: 'webhook_endpoint', column: 'secret' },
  { table: 'webhook_endpoint', column: 'earlier_secret' },
  { table: 'feed_source', column: 'password' },
  { table: 'feed_source', column: 'private_key' },
  { table: 'feed_source', column: 'secret_query' },
  { table: 'mail', column: 'sealed_body' },
]

/** Returns the id of the key in use, which stays in use until the transaction ends. */
export function findKeyInUse(tx: Tx): Promise<string | undefined> {
  return readKeyInUse(tx, sql`for share`)
}

/** Like `findKeyInUse`; nobody else can use or replace the key until the transaction ends. */
export function lockKeyInUse(tx: Tx): Promise<string | undefined> {
  return readKeyInUse(tx, sql`for update`)
}

/** Returns the id of the key in use, without keeping it in use. */
export function peekKeyInUse(db: Db): Promise<string | undefined> {
  return readKeyInUse(db, sql``)
}

async function readKeyInUse(db: Db | Tx, lock: RawBuilder<unknown>): Promise<string | undefined> {
  const { rows } = await sql<{ key_id: string | null }>`
    select key_id from secret_key ${lock}`.execute(db)
  return rows[0].key_id ?? undefined
}

export async function setKeyInUse(tx: Tx, keyId: string): Promise<void> {
  await sql`update secret_key set key_id = ${keyId}, used_since = market_now()
    where key_id is distinct from ${keyId}`.execute(tx)
}

interface SecretCount {
  /** Null: stored in clear text by an earlier version. */
  key_id: string | null
  count: number
}

/** Counts the stored secrets by the key that sealed them. */
export async function countSecrets(db: Db | Tx): Promise<SecretCount[]> {
  const values = SECRET_COLUMNS.map(
    ({ table, column }) =>
      sql`select ${sql.ref(column)} as value from ${sql.table(table)}
        where ${sql.ref(column)} is not null`,
  )
  const { rows } = await sql<SecretCount>`
    select case when value ~ '^v1\\.[0-9a-f]{16}\\.' then split_part(value, '.', 2) end as key_id,
      count(*) as count
    from (${sql.join(values, sql` union all `)}) as stored
    group by 1 order by 1 nulls last`.execute(db)
  return rows
}

/** Locks some values that are not sealed with the key, in the order of their rows. */
export async function lockOtherSecrets(
  tx: Tx,
  { table, column }: SecretColumn,
  keyId: string,
  limit: number,
): Promise<{ uuid: string; value: string }[]> {
  const { rows } = await sql<{ uuid: string; value: string }>`
    select uuid, ${sql.ref(column)} as value from ${sql.table(table)}
    where ${sql.ref(column)} is not null and ${sql.ref(column)} not like ${`v1.${keyId}.%`}
    order by uuid limit ${limit} for update`.execute(tx)
  return rows
}

export async function replaceSecrets(
  tx: Tx,
  { table, column }: SecretColumn,
  sealed: readonly { uuid: string; value: Sealed }[],
): Promise<void> {
  await sql`
    update ${sql.table(table)} as stored set ${sql.ref(column)} = sealed.value
    from unnest(${sealed.map(({ uuid }) => uuid)}::uuid[],
      ${sealed.map(({ value }) => value)}::text[]) as sealed (uuid, value)
    where stored.uuid = sealed.uuid`.execute(tx)
}
