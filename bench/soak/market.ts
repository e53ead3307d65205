import type { Database } from '../../src/database/open.ts'
import { createDemoMarket } from '../../src/demo/market.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { createToken } from '../../src/merchants/token-store.ts'
import { addParcels } from '../orders/market.ts'

/** A merchant of the soak with two keys, as a shop and its warehouse would have. */
export interface SoakMerchant {
  uuid: string
  keys: string[]
}

export interface SoakMarket {
  merchants: SoakMerchant[]
  adminKey: string
  /** Parcels, which many orders can take from. */
  parcels: string[]
}

const MERCHANTS = 6
const KEYS = 2
const PARCELS = 20
export const PARCEL_QUANTITY = 10_000_000

export async function fillMarket(database: Database, stones: number): Promise<SoakMarket> {
  const { db } = database
  const publicUrl = 'http://127.0.0.1'
  await createDemoMarket(database, { realm: 'live', stones, seed: 1, publicUrl })
  const merchants: SoakMerchant[] = []
  for (let count = 0; count < MERCHANTS; count++) {
    const { uuid } = await createMerchant(db, {
      email: `soak-${count}@shop.example`,
      legal_dba: `Soak Shop ${count}`,
      country_code: count % 2 === 0 ? 'US' : 'DE',
    })
    const keys: string[] = []
    for (let key = 0; key < KEYS; key++) {
      const request = { realm: 'live', type: 'api_key', merchant_uuid: uuid } as const
      keys.push((await createToken(db, request)).token)
    }
    merchants.push({ uuid, keys })
  }
  const { token: adminKey } = await createToken(db, { realm: 'live', type: 'admin' })
  return { merchants, adminKey, parcels: await addParcels(db, PARCELS, PARCEL_QUANTITY) }
}
