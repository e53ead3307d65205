import { sql } from 'kysely'
import type { Db, Tx } from '../../database/open.ts'
import { RECENT_COUNTED_MAX } from '../../feeds/importing/import-store.ts'
import { IMPORTS_WITH_CELLS } from '../../feeds/importing/rejection-log.ts'
import type { ImportSummary } from '../../feeds/importing/report.ts'
import { storableText } from '../../feeds/values/spelling.ts'
import { Refusal } from '../../lib/refusal.ts'
import { isUuid, newUuid } from '../../lib/uuid.ts'
import type { RejectedRows } from './rejected-rows.ts'

export interface JewelryReport extends ImportSummary {
  /** The catalogue that new products went into. */
  catalogue: string
  /** What was left out or not understood, in sentences. */
  notes: string[]
}

/** An import as the history lists it. */
export interface JewelryImport extends Omit<JewelryReport, 'dry_run'> {
  file_name: string
  created_on: string
  undone_on: string | null
  /** Why it failed; a failed import changed nothing. */
  failure: string | null
}

export const JEWELRY_IMPORT_STATUSES = ['done', 'failed', 'undone'] as const
const STATUS = sql`case when failure is not null then 'failed' when undone_on is not null
  then 'undone' else 'done' end`

/** What imports of jewelry can be sorted by. A failed one counts nothing. */
const SORTS = {
  created_on: sql`jewelry_import.created_on`,
  file_name: sql`lower(jewelry_import.file_name)`,
  supplier: sql`lower(supplier.name)`,
  catalogue: sql`lower(coalesce(report->>'catalogue', ''))`,
  status: STATUS,
  added: counted('added'),
  changed: counted('changed'),
  removed: counted('removed'),
  rejected: counted('rejected'),
} as const

function counted(name: string) {
  return sql`coalesce((report->>${sql.lit(name)})::int, 0)`
}

type JewelryImportSort = keyof typeof SORTS
export const JEWELRY_IMPORT_SORTS = Object.keys(SORTS) as JewelryImportSort[]

interface Page {
  sort_col?: JewelryImportSort | undefined
  sort_order?: 'asc' | 'desc' | undefined
  limit: number
  offset: number
  /** Only imports of this supplier, by its name. */
  supplier?: string | undefined
  status?: (typeof JEWELRY_IMPORT_STATUSES)[number] | undefined
  /** Part of the file's name. */
  q?: string | undefined
}

/** Records an import, in its transaction. */
export async function insertJewelryImport(
  tx: Tx,
  supplierId: number,
  {
    report,
    rejected,
    request,
  }: {
    report: JewelryReport
    rejected: RejectedRows
    request: { mode: 'update' | 'replace'; fileName?: string }
  },
): Promise<void> {
  await tx
    .insertInto('jewelry_import')
    .values({
      uuid: report.uuid,
      supplier_id: supplierId,
      mode: request.mode,
      file_name: (request.fileName ?? '').slice(0, 300),
      report: JSON.stringify(report),
      rejected_rows: rejected.cells.length === 0 ? null : JSON.stringify(rejected),
    })
    .execute()
  await deleteOldCells(tx, supplierId)
}

async function deleteOldCells(tx: Tx, supplierId: number): Promise<void> {
  await sql`
    update jewelry_import set rejected_rows = null
    where supplier_id = ${supplierId} and rejected_rows is not null and uuid not in (
      select uuid from jewelry_import where supplier_id = ${supplierId}
      order by created_on desc limit ${IMPORTS_WITH_CELLS})`.execute(tx)
}

/** Records an import that failed, unless its supplier is not known: most likely a typing error. */
export async function recordFailure(
  db: Db,
  request: { supplier: string; mode: 'update' | 'replace'; fileName?: string },
  error: Error,
): Promise<void> {
  const failure = error instanceof Refusal ? error.message : `The import failed: ${error.message}`
  try {
    await sql`
      insert into jewelry_import (uuid, supplier_id, mode, file_name, report, failure)
      select ${newUuid()}::uuid, id, ${request.mode}, ${(request.fileName ?? '').slice(0, 300)},
        '{}'::json, ${storableText(failure.slice(0, 1_000))}
      from supplier where lower(name) = lower(${request.supplier.trim()})`.execute(db)
  } catch {
    // The failure of the import itself is the one to report.
  }
}

/** How many imports of jewelry ended within a day, by how they ended. */
export async function countRecentJewelryImports(
  db: Db,
): Promise<{ status: string; count: number }[]> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*)::int as count
    from (
      select ${STATUS} as status
      from jewelry_import where created_on > market_now() - interval '1 day'
      order by created_on desc limit ${RECENT_COUNTED_MAX}
    ) as recent
    group by status`.execute(db)
  return rows
}

/** Lists the imports, newest first unless asked otherwise. */
export async function listJewelryImports(
  db: Db | Tx,
  page: Page,
): Promise<{ imports: JewelryImport[]; total: number }> {
  const { sort_col = 'created_on', sort_order = 'desc', limit, offset } = page
  const { supplier = '', status = '', q = '' } = page
  const isListed = sql<boolean>`(${supplier} = '' or lower(supplier.name) = lower(${supplier}))
    and (${status} = '' or ${STATUS} = ${status})
    and strpos(lower(jewelry_import.file_name), lower(${q})) > 0`
  const rows = await imports(db)
    .where(isListed)
    .orderBy(SORTS[sort_col], sort_order)
    .orderBy('jewelry_import.uuid')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await db
    .selectFrom('jewelry_import')
    .innerJoin('supplier', 'supplier.id', 'jewelry_import.supplier_id')
    .where(isListed)
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
    .where('failure', 'is', null)
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
    .select([
      'jewelry_import.uuid',
      'jewelry_import.supplier_id',
      'jewelry_import.mode',
      'jewelry_import.file_name',
      'jewelry_import.report',
      'jewelry_import.created_on',
      'jewelry_import.undone_on',
      'jewelry_import.failure',
      'supplier.name as supplier',
    ])
}

async function getRow(db: Db | Tx, uuid: string) {
  const row = isUuid(uuid)
    ? await imports(db)
        .select('jewelry_import.rejected_rows')
        .where('jewelry_import.uuid', '=', uuid)
        .executeTakeFirst()
    : undefined
  if (!row) throw new Refusal('not_found', `There is no jewelry import ${uuid}.`)
  return row
}

/** What an import has that failed before it could be counted. */
const NOTHING = {
  ...{ rows: 0, added: 0, changed: 0, unchanged: 0, removed: 0, rejected: 0 },
  ...{ rejections: [], mapping: {}, unmapped: [], notes: [], catalogue: '' },
}

function importOf(row: Omit<Awaited<ReturnType<typeof getRow>>, 'rejected_rows'>): JewelryImport {
  const { dry_run: _, ...report } = row.report as Partial<JewelryReport>
  const { uuid, mode, supplier, file_name, created_on, undone_on, failure } = row
  const record = { uuid, mode, supplier, file_name, created_on, undone_on, failure }
  return { ...NOTHING, ...report, ...record }
}

/** Returns a past import with the cells of its rejected rows, as far as they are kept. */
export async function readPastJewelryImport(
  db: Db,
  uuid: string,
): Promise<{ past: JewelryImport; rejected: RejectedRows }> {
  const row = await getRow(db, uuid)
  const rejected = row.rejected_rows as RejectedRows | null
  return { past: importOf(row), rejected: rejected ?? { columns: [], cells: [] } }
}

/** A variant of the supplier that already exists, with its product. */
export type KnownVariant = Awaited<ReturnType<typeof loadKnown>>[number]

/** Loads and locks all variants of the supplier in SKU order, as every writer does. */
export function loadKnown(tx: Tx, supplierId: number) {
  return tx
    .selectFrom('variant')
    .innerJoin('product', 'product.id', 'variant.product_id')
    .selectAll('variant')
    .select([
      'product.vendor_sku as product_vendor_sku',
      'product.type',
      'product.title',
      'product.description',
    ])
    .where('variant.supplier_id', '=', supplierId)
    .orderBy('variant.sku')
    .forUpdate('variant')
    .execute()
}
