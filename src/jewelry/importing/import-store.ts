import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import type { ImportSummary } from '../../feeds/importing/report.ts'
import { Refusal } from '../../lib/refusal.ts'

export interface JewelryReport extends ImportSummary {
  /** The catalogue that new products went into. */
  catalogue: string
}

/** An import as the history lists it. */
export interface JewelryImport extends Omit<JewelryReport, 'dry_run'> {
  file_name: string
  created_on: string
  undone_on: string | null
}

interface Page {
  limit: number
  offset: number
}

/** Lists the imports, newest first. */
export async function listJewelryImports(
  db: Db | Tx,
  { limit, offset }: Page,
): Promise<{ imports: JewelryImport[]; total: number }> {
  const rows = await imports(db)
    .orderBy('jewelry_import.created_on', 'desc')
    .orderBy('jewelry_import.uuid')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await db
    .selectFrom('jewelry_import')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { imports: rows.map(importOf), total }
}

export async function getJewelryImport(db: Db | Tx, uuid: string): Promise<JewelryImport> {
  return importOf(await getRow(db, uuid))
}

/** Returns the import and locks its supplier's imports until the transaction ends. */
export async function lockJewelryImport(tx: Tx, uuid: string) {
  const row = await getRow(tx, uuid)
  await lockSupplierJewelry(tx, row.supplier_id, row.supplier)
  return getRow(tx, uuid)
}

export async function findLastImport(tx: Tx, supplierId: number): Promise<string | undefined> {
  const row = await tx
    .selectFrom('jewelry_import')
    .select('uuid')
    .where('supplier_id', '=', supplierId)
    .where('undone_on', 'is', null)
    .orderBy('created_on', 'desc')
    .orderBy('uuid', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.uuid
}

/** First half of an advisory lock; the second is the supplier's id. Gem imports have another. */
const JEWELRY_LOCK = 0x6a_65_77_65

/** Two concurrent imports of one supplier would overwrite each other's pieces. */
export async function lockSupplierJewelry(tx: Tx, supplierId: number, name: string): Promise<void> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${JEWELRY_LOCK}, ${supplierId}) as locked`.execute(tx)
  if (rows[0].locked) return
  const detail = `Another import of ${name} is running; wait until it has finished.`
  throw new Refusal('import_running', detail)
}

function imports(db: Db | Tx) {
  return db
    .selectFrom('jewelry_import')
    .innerJoin('supplier', 'supplier.id', 'jewelry_import.supplier_id')
    .selectAll('jewelry_import')
    .select('supplier.name as supplier')
}

async function getRow(db: Db | Tx, uuid: string) {
  const row = UUID.test(uuid)
    ? await imports(db).where('jewelry_import.uuid', '=', uuid).executeTakeFirst()
    : undefined
  if (!row) throw new Refusal('not_found', `There is no jewelry import ${uuid}.`)
  return row
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function importOf(row: Awaited<ReturnType<typeof getRow>>): JewelryImport {
  const { dry_run: _, ...report } = row.report as JewelryReport
  const { supplier, file_name, created_on, undone_on } = row
  return { ...report, supplier, file_name, created_on, undone_on }
}
