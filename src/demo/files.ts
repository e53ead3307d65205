import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import type { Secrets } from '../database/secrets/secrets.ts'
import type { ColumnMapping } from '../feeds/mapping/mapping.ts'
import { addSource, pauseSource } from '../feeds/sources/source-store.ts'
import { insertJewelryImport } from '../jewelry/importing/import-store.ts'
import { newUuid } from '../lib/uuid.ts'
import { asOperator } from './actors.ts'

/** What the suppliers' files have left: imports that changed nothing, and sources. */
export async function createDemoFiles(tx: Tx, secrets: Secrets | undefined): Promise<void> {
  const operator = await asOperator(tx)
  await importUnchanged(operator)
  await importJewelryUnchanged(operator)
  if (secrets) for (const supplier of SOURCES) await createSource(operator, supplier, secrets)
}

/** The last of them has a key of its own, which the first start prints. */
const FILE_SUPPLIERS = ['Northlight Diamonds', 'Quillwater Stones', 'Larkhollow Trading']
const SOURCES = ['Northlight Diamonds', 'Ostermere Brilliants', 'Quillwater Stones']
const COLUMNS = [
  { column: 'Stock #', field: 'vendor_sku', confidence: 1, reason: 'the name says it' },
  { column: 'Shape', field: 'shape', confidence: 1, reason: 'the name says it' },
  { column: 'Weight', field: 'weight', confidence: 1, reason: 'the name says it' },
] as const satisfies ColumnMapping[]
const JEWELRY_SUPPLIER = 'Brindlewick Jewelry'

/** As imports leave them whose files say what is known already. */
async function importUnchanged(tx: Tx): Promise<void> {
  await sql`
    insert into import (uuid, supplier_id, mode, status, file_name, currency_code, rows, unchanged,
      columns, synced_before, reading_before, started_on, finished_on)
    select gen_random_uuid(), supplier.id, 'update', 'done', name || '.csv', 'USD', count(*)::int,
      count(*)::int, ${JSON.stringify(COLUMNS)}::jsonb, synced_on, reading, market_now(),
      market_now()
    from supplier join gem on gem.supplier_id = supplier.id and gem.state = 'available'
    where supplier.name = any(${FILE_SUPPLIERS}::text[])
    group by supplier.id`.execute(tx)
}

async function importJewelryUnchanged(tx: Tx): Promise<void> {
  const { rows } = await sql<{ id: number; variants: number }>`
    select supplier.id, count(*)::int as variants
    from supplier join variant on variant.supplier_id = supplier.id
    where supplier.name = ${JEWELRY_SUPPLIER} group by supplier.id`.execute(tx)
  for (const { id, variants } of rows) {
    const counts = { rows: variants, added: 0, changed: 0, unchanged: variants, removed: 0 }
    const report = {
      uuid: newUuid(),
      supplier: JEWELRY_SUPPLIER,
      mode: 'update' as const,
      ...counts,
      rejected: 0,
      dry_run: false,
      rejections: [],
      mapping: {},
      unmapped: ['Remark'],
      catalogue: 'General',
      notes: [],
    }
    const request = { mode: 'update' as const, fileName: `${JEWELRY_SUPPLIER}.csv` }
    await insertJewelryImport(tx, id, { report, rejected: { columns: [], cells: [] }, request })
  }
}

/** Paused: their servers do not exist. */
async function createSource(tx: Tx, supplier: string, secrets: Secrets): Promise<void> {
  const host = `${supplier.toLowerCase().replaceAll(' ', '-')}.example`
  const fields = { supplier, url: `https://${host}/stock.csv`, every: '2h' }
  const { uuid } = await addSource(tx, fields, { secrets, isFileAllowed: false })
  await pauseSource(tx, uuid)
  await sql`
    insert into feed_source_run (uuid, source_uuid, started_by, outcome, file_name, bytes,
      started_on, finished_on)
    values (${newUuid()}, ${uuid}, 'schedule', 'unchanged', 'stock.csv', 48200,
      market_now(), market_now())`.execute(tx)
}
