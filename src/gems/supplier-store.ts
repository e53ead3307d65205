import type { Insertable } from 'kysely'
import { recordEntry } from '../audit/record-entry.ts'
import { isCheckViolation, isUniqueViolation } from '../database/errors.ts'
import type { Db, Tx } from '../database/open.ts'
import type { SupplierTable } from '../database/tables/gems.ts'
import { withinTransaction } from '../database/transaction.ts'
import { findNearestName } from '../lib/nearest-name.ts'
import { Refusal } from '../lib/refusal.ts'
import { newUuid } from '../lib/uuid.ts'
import {
  auditedSupplier,
  checkSupplierSettings,
  type Supplier,
  type SupplierSettings,
  supplierNameFrom,
} from './supplier.ts'

/** Refuses a name that another supplier has, in whatever case. */
export async function createSupplier(
  db: Db | Tx,
  typedName: string,
  settings: SupplierSettings = {},
): Promise<Supplier> {
  const name = supplierNameFrom(typedName)
  checkSupplierSettings(settings)
  return withinTransaction(db, async (tx) => {
    const created = await refusingBadRows(name, () =>
      tx
        .insertInto('supplier')
        .values({ uuid: newUuid(), name, ...columnsOf(settings) })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
    await recordSupplier(tx, 'supplier.create', null, created)
    return created
  })
}

async function recordSupplier(
  tx: Tx,
  action: string,
  before: Supplier | null,
  after: Supplier,
): Promise<void> {
  const subject = { kind: 'supplier', id: after.uuid }
  await recordEntry(tx, {
    action,
    subject,
    before: before && auditedSupplier(before),
    after: auditedSupplier(after),
  })
}

/** Changes the given settings of a supplier, which may be none, and leaves the others unchanged. */
export async function setSupplier(
  db: Db | Tx,
  name: string,
  settings: SupplierSettings,
): Promise<Supplier> {
  checkSupplierSettings(settings)
  const columns = columnsOf(settings)
  if (Object.values(columns).every((value) => value === undefined)) return getSupplier(db, name)
  return withinTransaction(db, async (tx) => {
    const { id } = await getSupplier(tx, name)
    const earlier = await tx
      .selectFrom('supplier')
      .selectAll()
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const changed = await refusingBadRows(name, () =>
      tx
        .updateTable('supplier')
        .set((eb) => ({
          ...columns,
          ...(!isReadingOnly(settings) && { updated_on: eb.fn('market_now') }),
        }))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
    await recordSupplier(tx, 'supplier.change', earlier, changed)
    return changed
  })
}

/**
 * Whether the settings are only the mappings that an import has read its file with: it remembers
 * them at its end, and needs not be repeated for them.
 */
function isReadingOnly({ mapping, jewelry_mapping, ...others }: SupplierSettings): boolean {
  const isForgotten = mapping === null || jewelry_mapping === null
  return !isForgotten && Object.keys(others).length === 0
}

/** All suppliers by name: there are tens of them, not thousands. */
export function listSuppliers(db: Db | Tx): Promise<Supplier[]> {
  return db
    .selectFrom('supplier')
    .selectAll()
    .orderBy((eb) => eb.fn('lower', ['name']))
    .execute()
}

export function findSupplier(db: Db | Tx, name: string): Promise<Supplier | undefined> {
  return db
    .selectFrom('supplier')
    .selectAll()
    .where((eb) => eb(eb.fn('lower', ['name']), '=', supplierNameFrom(name).toLowerCase()))
    .executeTakeFirst()
}

export async function getSupplier(db: Db | Tx, name: string): Promise<Supplier> {
  const supplier = await findSupplier(db, name)
  if (supplier) return supplier
  const known = await db.selectFrom('supplier').select('name').orderBy('name').execute()
  const nearest = findNearestName(
    name,
    known.map((row) => row.name),
  )
  const hint = nearest ? ` Did you mean ${JSON.stringify(nearest)}?` : ''
  throw new Refusal('not_found', `There is no supplier ${JSON.stringify(name)}.${hint}`)
}

/** The supplier of a uuid; refuses an unknown one. */
export async function getSupplierByUuid(db: Db | Tx, uuid: string): Promise<Supplier> {
  const supplier = await db
    .selectFrom('supplier')
    .selectAll()
    .where('uuid', '=', uuid)
    .executeTakeFirst()
  if (supplier) return supplier
  throw new Refusal('not_found', `There is no supplier ${uuid}.`)
}

/** The supplier of that name, created with default settings at its first import. */
export async function findOrCreateSupplier(tx: Tx, typedName: string): Promise<Supplier> {
  const name = supplierNameFrom(typedName)
  // Two first imports may run at once, so a conflict is not an error.
  await tx
    .insertInto('supplier')
    .values({ uuid: newUuid(), name })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return getSupplier(tx, name)
}

function columnsOf(given: SupplierSettings): Partial<Insertable<SupplierTable>> {
  const { mapping, jewelry_mapping, ...settings } = given
  return {
    ...settings,
    ...(mapping !== undefined && { mapping: jsonOrNull(mapping) }),
    ...(jewelry_mapping !== undefined && { jewelry_mapping: jsonOrNull(jewelry_mapping) }),
  }
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

async function refusingBadRows<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error, 'supplier_name')) {
      throw new Refusal('supplier_name_taken', `There is already a supplier named ${name}.`)
    }
    if (isCheckViolation(error, 'delivery_days')) {
      const message = 'must not be below delivery_days_min'
      throw new Refusal('invalid_request', `delivery_days_max ${message}.`, {
        errors: [{ field: 'delivery_days_max', message }],
      })
    }
    throw error
  }
}
