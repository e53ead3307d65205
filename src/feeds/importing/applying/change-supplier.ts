import { sql } from 'kysely'
import type { Database } from '../../../database/open.ts'
import { inTransaction } from '../../../database/transaction.ts'
import type { Supplier, SupplierSettings } from '../../../gems/supplier.ts'
import { getSupplier, setSupplier } from '../../../gems/supplier-store.ts'
import { inImportSession, lockSupplier } from '../session.ts'
import { recoverSupplier } from './recover-imports.ts'
import { repriceStones } from './reprice-stones.ts'

interface ChangedSupplier {
  supplier: Supplier
  /** How many stones have other prices now. */
  changed: number
}

/**
 * Changes the settings of a supplier. A new markup applies at once to its stones, as its next
 * import would apply it; refused while an import of the supplier is running.
 */
export async function changeSupplier(
  database: Database,
  name: string,
  settings: SupplierSettings,
): Promise<ChangedSupplier> {
  if (settings.markup === undefined && settings.markup_us === undefined) {
    return { supplier: await setSupplier(database.db, name, settings), changed: 0 }
  }
  return inImportSession(database, async ({ db }) => {
    const known = await getSupplier(db, name)
    await lockSupplier(db, known.id, known.name)
    await recoverSupplier(db, known.id)
    const changed = await repriceStones(db, await setSupplier(db, name, settings))
    await inTransaction(db, async (tx) => {
      await sql`
        update supplier set markup_set_on = market_clock() where id = ${known.id}`.execute(tx)
    })
    return { supplier: await getSupplier(db, name), changed }
  })
}
