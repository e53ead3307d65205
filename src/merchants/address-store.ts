import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import type { AddressTable } from '../database/tables.ts'
import { Refusal } from '../lib/refusal.ts'
import { newUuid } from '../lib/uuid.ts'
import { findCountry } from '../reference/countries.ts'

export type Address = Selectable<AddressTable>
export type NewAddress = Omit<Insertable<AddressTable>, 'uuid' | 'merchant_uuid' | 'created_on'>

/** No merchant ships to more places than this; it keeps the list and the default swap small. */
export const ADDRESSES_MAX = 500

/** The merchant's shipping addresses, the default first. */
export function listAddresses(db: Db, merchantUuid: string): Promise<Address[]> {
  return db
    .selectFrom('merchant_address')
    .selectAll()
    .where('merchant_uuid', '=', merchantUuid)
    .orderBy('is_default', 'desc')
    .orderBy('created_on')
    .orderBy('uuid')
    .limit(ADDRESSES_MAX)
    .execute()
}

/** Adds an address. A merchant's first one is its default, whatever was asked for. */
export async function addAddress(
  tx: Tx,
  merchantUuid: string,
  address: NewAddress,
): Promise<Address> {
  const country_code = findCountry(address.country_code)
  if (!country_code) {
    const message = `${address.country_code} is not a country code such as US or DE`
    throw new Refusal('invalid_request', `The address is wrong: ${message}.`, {
      errors: [{ field: 'country_code', message }],
    })
  }
  await lockMerchant(tx, merchantUuid)
  const earlier = await listAddresses(tx, merchantUuid)
  if (earlier.length >= ADDRESSES_MAX) {
    throw new Refusal('invalid_request', `A merchant has at most ${ADDRESSES_MAX} addresses.`)
  }
  const is_default = earlier.length === 0 || (address.is_default ?? false)
  if (is_default) await clearDefault(tx, merchantUuid)
  return tx
    .insertInto('merchant_address')
    .values({ ...address, country_code, is_default, uuid: newUuid(), merchant_uuid: merchantUuid })
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function lockMerchant(tx: Tx, merchantUuid: string): Promise<void> {
  await tx
    .selectFrom('merchant')
    .select('uuid')
    .where('uuid', '=', merchantUuid)
    .forUpdate()
    .execute()
}

async function clearDefault(tx: Tx, merchantUuid: string): Promise<void> {
  await tx
    .updateTable('merchant_address')
    .set({ is_default: false })
    .where('merchant_uuid', '=', merchantUuid)
    .where('is_default', '=', true)
    .execute()
}
