import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import { Refusal } from '../lib/refusal.ts'
import { newUuid } from '../lib/uuid.ts'
import { SAVED_SEARCHES_MAX, type SavedSearch } from './saved-search.ts'

/** What a merchant says about a search. */
export interface SearchFields
  extends Pick<SavedSearch, 'name' | 'kind' | 'filters' | 'alert' | 'max_retail_price'> {}

export async function listSearches(
  db: Db,
  merchantUuid: string,
  { limit, offset, q }: { limit: number; offset: number; q?: string | undefined },
): Promise<{ searches: SavedSearch[]; total: number }> {
  let own = db.selectFrom('saved_search').where('merchant_uuid', '=', merchantUuid)
  if (q !== undefined) {
    own = own.where(sql<boolean>`strpos(lower(name), lower(${q})) > 0`)
  }
  const searches = await own
    .selectAll()
    .orderBy('created_on')
    .orderBy('uuid')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await own
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { searches, total }
}

/** Returns a search of the merchant; those of others look as if they did not exist. */
export async function getSearch(
  db: Db | Tx,
  uuid: string,
  merchantUuid: string,
): Promise<SavedSearch> {
  const search = await db
    .selectFrom('saved_search')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('merchant_uuid', '=', merchantUuid)
    .executeTakeFirst()
  if (!search) throw new Refusal('not_found', `There is no saved search ${uuid}.`)
  return search
}

export function insertSearch(
  tx: Tx,
  merchantUuid: string,
  { filters, ...fields }: SearchFields,
): Promise<SavedSearch> {
  return tx
    .insertInto('saved_search')
    .values({
      ...fields,
      uuid: newUuid(),
      merchant_uuid: merchantUuid,
      filters: JSON.stringify(filters),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function updateSearch(
  tx: Tx,
  uuid: string,
  { filters, ...fields }: SearchFields,
): Promise<SavedSearch> {
  return tx
    .updateTable('saved_search')
    .set({ ...fields, filters: JSON.stringify(filters), updated_on: sql<string>`market_now()` })
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a search with what is known of its stones, and alerts that are not raised yet. */
export async function deleteSearch(tx: Tx, uuid: string): Promise<void> {
  await tx.deleteFrom('saved_search').where('uuid', '=', uuid).execute()
}

/** Locks the merchant, so that two searches saved at once cannot exceed the limit. */
export async function claimSearchPlace(tx: Tx, merchantUuid: string): Promise<void> {
  await tx
    .selectFrom('merchant')
    .select('uuid')
    .where('uuid', '=', merchantUuid)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const { used } = await tx
    .selectFrom('saved_search')
    .select((eb) => eb.fn.countAll<number>().as('used'))
    .where('merchant_uuid', '=', merchantUuid)
    .executeTakeFirstOrThrow()
  if (used < SAVED_SEARCHES_MAX) return
  throw new Refusal(
    'saved_search_limit',
    `A merchant may save ${SAVED_SEARCHES_MAX} searches, and ${used} are saved. Delete one first.`,
    { extra: { limit: SAVED_SEARCHES_MAX, used } },
  )
}
