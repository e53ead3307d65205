import { sql } from 'kysely'
import { recordEntry } from '../../audit/record-entry.ts'
import type { Db, Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { Refusal } from '../../lib/refusal.ts'
import { isUuid } from '../../lib/uuid.ts'
import type { OtherLab, UnreadableValue } from '../drafting/notes.ts'
import type { ColumnMapping } from '../mapping/mapping.ts'
import { storableText } from '../values/spelling.ts'
import type { FileReading } from './file-reading.ts'
import { IMPORTS_WITH_CELLS, type LoggedRejection, REJECTIONS_KEPT_MAX } from './rejection-log.ts'

export type ImportMode = 'update' | 'replace'
// biome-ignore format: a list
export const IMPORT_STATUSES = [
  'reading', 'applying', 'done', 'failed', 'undoing', 'undone',
] as const
type ImportStatus = (typeof IMPORT_STATUSES)[number]

interface ImportCounts {
  rows: number
  added: number
  changed: number
  unchanged: number
  removed: number
  rejected: number
  not_offered: number
}

export interface ImportNotes {
  si3: number
  /** Parcels whose size is estimated from the weight of their stones. */
  estimated_sizes: number
  /** Parcels whose number of stones is estimated, if there are any. */
  estimated_counts?: number
  /** Single stones that are sold as the worst of several clarities, if there are any. */
  worst_clarities?: number
  unreadable: UnreadableValue[]
  /** Labs outside the reference list; their stones have no lab. */
  other_labs: OtherLab[]
  /** Sheets and files that were read as one list, and those that were left out. */
  file: string[]
}

/** An import as the history shows it. */
export interface ImportRecord extends ImportCounts {
  uuid: string
  supplier: string
  supplier_id: number
  mode: ImportMode
  status: ImportStatus
  file_name: string
  currency_code: string
  columns: ColumnMapping[]
  notes: ImportNotes
  failure: string | null
  started_on: string
  finished_on: string | null
}

export async function insertImport(
  db: Db,
  record: Pick<ImportRecord, 'uuid' | 'supplier_id' | 'mode' | 'file_name' | 'currency_code'>,
): Promise<void> {
  const { uuid, supplier_id, mode, file_name, currency_code } = record
  await sql`
    insert into import (uuid, supplier_id, mode, status, file_name, currency_code,
      synced_before, reading_before)
    select ${uuid}, id, ${mode}, 'reading', ${file_name.slice(0, 300)}, ${currency_code},
      synced_on, reading
    from supplier where id = ${supplier_id}`.execute(db)
}

/** Sets the status, which recovery after a crash relies on. */
export function setImportStatus(
  db: Db,
  uuid: string,
  status: ImportStatus,
  failure: string | null = null,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const isOver = status === 'failed' || status === 'undone'
    await sql`
      update import set status = ${status}, failure = ${failure?.slice(0, 1_000) ?? null},
        finished_on = ${isOver ? sql`market_clock()` : sql`finished_on`}
      where uuid = ${uuid}`.execute(tx)
    if (status === 'undone') await recordImport(tx, 'import.undo', uuid)
  })
}

/** One entry for a whole file, with its counts: what it did to a stone is in the journal. */
async function recordImport(tx: Tx, action: string, uuid: string): Promise<void> {
  const record = await getImport(tx, uuid)
  const { supplier, mode, file_name, currency_code } = record
  const { rows, added, changed, unchanged, removed, rejected, not_offered } = record
  const counts = { rows, added, changed, unchanged, removed, rejected, not_offered }
  const isUndone = action === 'import.undo'
  const fields = { supplier, mode, file_name, currency_code, ...counts }
  await recordEntry(tx, {
    action,
    subject: { kind: 'import', id: uuid },
    before: isUndone ? fields : null,
    after: isUndone ? null : fields,
  })
}

/** Finishes an import: stores its counts and rejections, and marks the supplier as synced. */
export function finishImport(
  db: Db,
  uuid: string,
  supplierId: number,
  counts: ImportCounts,
  found: {
    columns: ColumnMapping[]
    notes: ImportNotes
    rejections: LoggedRejection[]
    reading: FileReading
  },
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await sql`
      update import set status = 'done', finished_on = market_clock(),
        rows = ${counts.rows}, added = ${counts.added}, changed = ${counts.changed},
        unchanged = ${counts.unchanged}, removed = ${counts.removed},
        rejected = ${counts.rejected}, not_offered = ${counts.not_offered},
        columns = ${storableJson(found.columns)}, notes = ${storableJson(found.notes)}
      where uuid = ${uuid}`.execute(tx)
    await insertRejections(tx, uuid, found.rejections)
    await sql`
      update supplier set synced_on = market_now(), reading = ${storableJson(found.reading)}
      where id = ${supplierId}`.execute(tx)
    await recordImport(tx, 'import.run', uuid)
    await deleteOldJournals(tx, supplierId, uuid)
    await deleteOldCells(tx, supplierId)
  })
}

async function insertRejections(tx: Tx, uuid: string, rejections: LoggedRejection[]) {
  if (rejections.length === 0) return
  const numbered = rejections.map((rejection, place) => ({ ...rejection, place }))
  await sql`
    insert into import_rejection (import_uuid, place, row, "column", value, reason, quarantined,
      vendor_sku, cells, draft)
    select ${uuid}, place, r.row, r."column", r.value, r.reason, r.quarantined, r.vendor_sku,
      r.cells, r.draft::jsonb
    from jsonb_to_recordset(${storableJson(numbered)}::jsonb)
      as r (place integer, row integer, "column" text, value text, reason text,
        quarantined boolean, vendor_sku text, cells jsonb, draft text)`.execute(tx)
}

/** Serializes as JSON that PostgreSQL can store. */
function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'string' ? storableText(member) : member,
  )
}

/** Deletes older journals: only the latest import of a supplier can be undone. */
async function deleteOldJournals(tx: Tx, supplierId: number, keepUuid: string): Promise<void> {
  for (const table of ['import_before', 'import_added'] as const) {
    await sql`
      delete from ${sql.table(table)} j using import i
      where i.uuid = j.import_uuid and i.supplier_id = ${supplierId}
        and i.uuid <> ${keepUuid}`.execute(tx)
  }
}

/** Every import deletes those of the next older ones; several, because some imports fail. */
const CLEANED_AT_ONCE = 5

/** Deletes the cells and drafts of older imports, which nobody sends back or releases any more. */
async function deleteOldCells(tx: Tx, supplierId: number): Promise<void> {
  await sql`
    update import_rejection r set cells = null, draft = null
    from (
      select uuid from import where supplier_id = ${supplierId}
      order by started_on desc offset ${IMPORTS_WITH_CELLS} limit ${CLEANED_AT_ONCE}
    ) as old
    where r.import_uuid = old.uuid
      and (r.cells is not null or r.draft is not null)`.execute(tx)
}

/** Bounds the count, newest first: far more imports than a market has in a day. */
export const RECENT_COUNTED_MAX = 10_000

/** How many imports began within a day, by every status there is. */
export async function countRecentImports(db: Db): Promise<{ status: string; count: number }[]> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(recent.uuid)::int as count
    from unnest(${[...IMPORT_STATUSES]}::text[]) as status
    left join (
      select uuid, import.status from import
      where started_on > market_now() - interval '1 day'
      order by started_on desc limit ${RECENT_COUNTED_MAX}
    ) as recent using (status)
    group by status`.execute(db)
  return rows
}

const RECORD = sql`
  select i.uuid, s.name as supplier, i.supplier_id, i.mode, i.status, i.file_name, i.currency_code,
    i.rows, i.added, i.changed, i.unchanged, i.removed, i.rejected, i.not_offered, i.columns,
    i.notes, i.failure, i.started_on, i.finished_on
  from import i join supplier s on s.id = i.supplier_id`

/** What imports can be sorted by. */
const SORTS = {
  started_on: sql`i.started_on`,
  supplier: sql`lower(s.name)`,
  file_name: sql`lower(i.file_name)`,
  status: sql`i.status`,
  added: sql`i.added`,
  changed: sql`i.changed`,
  removed: sql`i.removed`,
  rejected: sql`i.rejected`,
} as const

type ImportSort = keyof typeof SORTS
export const IMPORT_SORTS = Object.keys(SORTS) as ImportSort[]

interface ImportListOptions {
  supplier?: string | undefined
  status?: ImportStatus | undefined
  /** Part of the file's name. */
  q?: string | undefined
  sort_col?: ImportSort | undefined
  sort_order?: 'asc' | 'desc' | undefined
  limit: number
  offset: number
}

export async function listImports(
  db: Db,
  options: ImportListOptions,
): Promise<{ imports: ImportRecord[]; total: number }> {
  const filter = filterOf(options)
  const { rows } = await sql<ImportRecord>`${RECORD} ${filter}
    order by ${orderOf(options)}, i.uuid limit ${options.limit} offset ${options.offset}`.execute(
    db,
  )
  const counted = await sql<{ count: number }>`
    select count(*) as count from import i join supplier s on s.id = i.supplier_id
    ${filter}`.execute(db)
  return { imports: rows, total: counted.rows[0].count }
}

function filterOf({ supplier, status, q }: ImportListOptions) {
  const conditions = [
    supplier && sql`lower(s.name) = lower(${supplier})`,
    status && sql`i.status = ${status}`,
    q && sql`strpos(lower(i.file_name), lower(${q})) > 0`,
  ].filter((each) => typeof each === 'object')
  return conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
}

function orderOf({ sort_col = 'started_on', sort_order = 'desc' }: ImportListOptions) {
  return sql`${SORTS[sort_col]} ${sort_order === 'desc' ? sql`desc` : sql`asc`}`
}

export async function getImport(db: Db, uuid: string): Promise<ImportRecord> {
  const found = isUuid(uuid)
    ? await sql<ImportRecord>`${RECORD} where i.uuid = ${uuid}`.execute(db)
    : null
  if (found?.rows[0]) return found.rows[0]
  throw new Refusal('not_found', `There is no import ${uuid}.`)
}

/** Lists the rejected rows of an import in the order of the file. */
export async function listRejections(db: Db, uuid: string): Promise<LoggedRejection[]> {
  const { rows } = await sql<LoggedRejection>`
    select row, "column", value, reason, quarantined, vendor_sku, cells, null as draft
    from import_rejection
    where import_uuid = ${uuid} order by place limit ${REJECTIONS_KEPT_MAX}`.execute(db)
  return rows
}
