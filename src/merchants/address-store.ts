import type { Insertable, Selectable } from 'kysely'
import { recordEntry } from '../audit/record-entry.ts'
import type { Db, Tx } from '../database/open.ts'
import type { AddressTable } from '../database/tables/merchants.ts'
import { Refusal } from '../lib/refusal.ts'
import { newUuid } from '../lib/uuid.ts'
import { findCountry } from '../reference/countries.ts'
import { limitOf, limitRefusal, MERCHANT_LIMITS } from '../reference/merchant-limits.ts'
import { lockMerchant } from './merchant-store.ts'

export type Address = Selectable<AddressTable>
type NewAddress = Omit<Insertable<AddressTable>, 'uuid' | 'merchant_uuid' | 'created_on'>

/** The merchant's shipping addresses, the default first. */
export function listAddresses(db: Db, merchantUuid: string): Promise<Address[]> {
  return db
    .selectFrom('merchant_address')
    .selectAll()
    .where('merchant_uuid', '=', merchantUuid)
    .orderBy('is_default', 'desc')
    .orderBy('created_on')
    .orderBy('uuid')
    .limit(MERCHANT_LIMITS.max_addresses.highest)
    .execute()
}

export async function countAddresses(db: Db | Tx, merchantUuid: string): Promise<number> {
  const { count } = await db
    .selectFrom('merchant_address')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('merchant_uuid', '=', merchantUuid)
    .executeTakeFirstOrThrow()
  return count
}

/** Adds an address. The first address of a merchant is always its default. */
export async function addAddress(
  tx: Tx,
  merchantUuid: string,
  address: NewAddress,
): Promise<Address> {
  const country_code = checkedCountry(address.country_code)
  const limit = limitOf(await lockMerchant(tx, merchantUuid), 'max_addresses')
  const used = await countAddresses(tx, merchantUuid)
  if (used >= limit) {
    const advice = 'Remove one that is not in use'
    throw limitRefusal('address_limit', { name: 'max_addresses', limit, used, advice })
  }
  const is_default = used === 0 || (address.is_default ?? false)
  if (is_default) await clearDefault(tx, merchantUuid)
  const added = await tx
    .insertInto('merchant_address')
    .values({ ...address, country_code, is_default, uuid: newUuid(), merchant_uuid: merchantUuid })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordAddress(tx, 'address.create', null, added)
  return added
}

/** Changes an address. When it becomes the default, the earlier default no longer is. */
export async function changeAddress(
  tx: Tx,
  merchantUuid: string,
  uuid: string,
  change: Partial<NewAddress>,
): Promise<Address> {
  const { country_code } = change
  const row = { ...change, ...(country_code && { country_code: checkedCountry(country_code) }) }
  await lockMerchant(tx, merchantUuid)
  const address = await getAddress(tx, merchantUuid, uuid)
  if (address.is_default && change.is_default === false) {
    const detail = 'A merchant needs a default address; make another address the default instead.'
    throw new Refusal('wrong_state', detail)
  }
  if (change.is_default) await clearDefault(tx, merchantUuid)
  const changed = await tx
    .updateTable('merchant_address')
    .set(row)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordAddress(tx, 'address.change', address, changed)
  return changed
}

/** Removes an address. When it was the default, the oldest of the others becomes the default. */
export async function removeAddress(tx: Tx, merchantUuid: string, uuid: string): Promise<void> {
  await lockMerchant(tx, merchantUuid)
  const address = await getAddress(tx, merchantUuid, uuid)
  await tx.deleteFrom('merchant_address').where('uuid', '=', uuid).execute()
  await recordAddress(tx, 'address.remove', address, null)
  const [oldest] = await listAddresses(tx, merchantUuid)
  if (!address.is_default || !oldest) return
  await tx
    .updateTable('merchant_address')
    .set({ is_default: true })
    .where('uuid', '=', oldest.uuid)
    .execute()
}

export async function getAddress(
  tx: Db | Tx,
  merchantUuid: string,
  uuid: string,
): Promise<Address> {
  const address = await tx
    .selectFrom('merchant_address')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('merchant_uuid', '=', merchantUuid)
    .executeTakeFirst()
  if (!address) throw new Refusal('not_found', `There is no address ${uuid}.`)
  return address
}

async function recordAddress(
  tx: Tx,
  action: string,
  before: Address | null,
  after: Address | null,
): Promise<void> {
  const { uuid = '', merchant_uuid } = after ?? before ?? {}
  await recordEntry(tx, {
    action,
    subject: { kind: 'address', id: uuid },
    merchant_uuid,
    before,
    after,
  })
}

function checkedCountry(code: string): string {
  const country = findCountry(code)
  if (country) return country
  const message = `${code} is not a country code such as US or DE`
  throw new Refusal('invalid_request', `The address is not valid: ${message}.`, {
    errors: [{ field: 'country_code', message }],
  })
}

async function clearDefault(tx: Tx, merchantUuid: string): Promise<void> {
  await tx
    .updateTable('merchant_address')
    .set({ is_default: false })
    .where('merchant_uuid', '=', merchantUuid)
    .where('is_default', '=', true)
    .execute()
}
