import { sql } from 'kysely'
import type { Db } from '../database/open.ts'

/**
 * Tells the planner of many new stones at once, for the columns that something searches by. It
 * would hear of them by itself in a minute, and until then take held stones for common ones: the
 * look for expired holds, once a second, then read a million stones by their SKUs.
 */
export async function analyzeGems(db: Db): Promise<void> {
  await sql`
    analyze gem (id, sku, supplier_id, vendor_sku, cert_num, state, hold_uuid,
      hold_merchant_uuid, hold_expires_on)`.execute(db)
}
