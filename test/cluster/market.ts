import { sql } from 'kysely'
import { addParcels, addSingles } from '../../bench/orders/market.ts'
import { migrate } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { createToken } from '../../src/merchants/token-store.ts'

export interface LabMarket {
  key: string
  adminKey: string
  /** Single stones, which can be sold once. */
  stones: string[]
  parcels: string[]
}

const PARCELS = 3
export const PARCEL_QUANTITY = 1_000_000

/** Migrates the database and fills it: the stock, and a merchant that orders it. */
export async function makeMarket(url: string, stones: number): Promise<LabMarket> {
  const database = openDatabase({ url, poolMax: 2, statementTimeoutMs: 0 })
  try {
    const { db } = database
    await migrate(db)
    const { uuid: merchant_uuid } = await createMerchant(db, {
      email: 'cluster@shop.example',
      legal_dba: 'Cluster Shop',
      country_code: 'US',
    })
    const { token: key } = await createToken(db, { realm: 'live', type: 'api_key', merchant_uuid })
    const { token: adminKey } = await createToken(db, { realm: 'live', type: 'admin' })
    const market = {
      key,
      adminKey,
      stones: await addSingles(db, stones),
      parcels: await addParcels(db, PARCELS, PARCEL_QUANTITY),
    }
    await sql`analyze`.execute(db)
    return market
  } finally {
    await database.close()
  }
}
