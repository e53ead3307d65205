/** The supplier of an import, which the first import creates. */
import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import type { Supplier } from '../../gems/supplier.ts'
import { findOrCreateSupplier, findSupplier } from '../../gems/supplier-store.ts'
import type { ImportRequest } from './report.ts'

/** The id of a supplier that only exists for a dry run. */
export const UNKNOWN_SUPPLIER_ID = 0

/** Finds or creates the supplier. A dry run creates nothing, not even its supplier. */
export async function supplierFor(db: Db, request: ImportRequest): Promise<Supplier> {
  if (!request.dryRun) {
    return db.transaction().execute((tx) => findOrCreateSupplier(tx, request.supplier))
  }
  const known = await findSupplier(db, request.supplier)
  if (known) return known
  const rollback = new Error('a supplier for the dry run only')
  let created: Supplier | undefined
  await db
    .transaction()
    .execute(async (tx) => {
      created = await findOrCreateSupplier(tx, request.supplier)
      throw rollback
    })
    .catch((error: Error) => {
      if (error !== rollback) throw error
    })
  if (!created) throw rollback
  return { ...created, id: UNKNOWN_SUPPLIER_ID }
}

/**
 * Deletes a supplier whose first import failed, most likely a mistyped name. It stays when it has
 * stones or another import, and when the database cannot be reached.
 */
export async function forgetSupplier(db: Db, supplierId: number): Promise<void> {
  const isUnused = sql`supplier_id = ${supplierId}
    and not exists (select from gem where supplier_id = ${supplierId})
    and not exists (
      select from import where supplier_id = ${supplierId} and status <> 'failed')`
  try {
    await db.transaction().execute(async (tx) => {
      await sql`delete from import where ${isUnused}`.execute(tx)
      await sql`
        delete from supplier s where id = ${supplierId}
          and not exists (select from gem where supplier_id = s.id)
          and not exists (select from import where supplier_id = s.id)`.execute(tx)
    })
  } catch {
    // The failure of the import itself is the one to report.
  }
}
