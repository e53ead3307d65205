import { sql } from 'kysely'
import type { Database, Db } from '../../database/open.ts'
import { analyzeGems } from '../../gems/gem-store.ts'
import type { Supplier } from '../../gems/supplier.ts'
import { findOrCreateSupplier, findSupplier, setSupplier } from '../../gems/supplier-store.ts'
import { findNearestName } from '../../lib/nearest-name.ts'
import { Refusal } from '../../lib/refusal.ts'
import { newUuid } from '../../lib/uuid.ts'
import { getRate, listRates } from '../../pricing/exchange-rates.ts'
import { draftSettings } from '../drafting/draft-settings.ts'
import { createNotes } from '../drafting/notes.ts'
import { FIELDS, type FieldName, isField } from '../mapping/fields.ts'
import { mapColumns } from '../mapping/map-columns.ts'
import type { FeedMapping, MappingOverride } from '../mapping/mapping.ts'
import { type Feed, openFeed } from '../reading/open-feed.ts'
import { applyImport } from './apply-import.ts'
import { finishImport, insertImport, setImportStatus } from './import-store.ts'
import { lockSupplier } from './lock-supplier.ts'
import { describePlan, type ImportPlan, planImport } from './plan-import.ts'
import { createPriceCheck, quarantinePrices } from './price-check.ts'
import { recoverSupplier } from './recover-imports.ts'
import { createRejectionLog } from './rejection-log.ts'
import type { ImportReport, ImportRequest } from './report.ts'
import { createRowReport } from './report-rows.ts'
import { type ImportSession, inImportSession } from './session.ts'
import { createStage, loadKnownStones, type Staging, stageRows } from './stage-rows.ts'
import { takeBack } from './undo-import.ts'

/**
 * Imports a supplier's feed in two phases. The first reads the whole file beside the market and
 * decides: what is new, changed, gone, doubtful, and whether so much may go. The second carries it
 * out in small transactions with a journal; whatever interrupts it, the journal is taken back.
 */
export function runImport(database: Database, request: ImportRequest): Promise<ImportReport> {
  return inImportSession(database, async (session) => {
    const { db } = session
    const isNew = (await findSupplier(db, request.supplier)) === undefined
    const supplier = await supplierFor(db, request)
    if (supplier.id !== UNKNOWN_SUPPLIER_ID) {
      await lockSupplier(db, supplier.id, supplier.name)
      await recoverSupplier(db, supplier.id)
    }
    const uuid = newUuid()
    const onRows = createRowReport(database.db, uuid, request)
    try {
      const currency = request.currency ?? supplier.currency_code
      await getRate(db, currency)
      const running: Running = { session, request, supplier, currency, uuid, onRows }
      if (request.dryRun) return await importFeed(running)
      await insertImport(db, {
        uuid,
        supplier_id: supplier.id,
        mode: request.mode,
        file_name: request.fileName ?? '',
        currency_code: currency,
      })
      return await importFeed(running)
    } catch (error) {
      if (!request.dryRun) await giveUp(db, uuid, error as Error)
      if (isNew && !request.dryRun) await forgetSupplier(db, supplier.id)
      throw error
    }
  })
}

interface Running {
  session: ImportSession
  request: ImportRequest
  supplier: Supplier
  currency: string
  uuid: string
  onRows: (rows: number) => void
}

/** Takes back what was done. Without a connection that is the work of whoever comes next. */
async function giveUp(db: Db, uuid: string, error: Error): Promise<void> {
  try {
    await takeBack(db, uuid)
    const isOurs = error instanceof Refusal
    await setImportStatus(db, uuid, 'failed', isOurs ? error.message : `It broke: ${error.message}`)
  } catch {
    // The first failure is the one to tell; the import stands as unfinished and will be recovered.
  }
}

/**
 * A supplier that only a failed import knows was most likely a mistyped name. It stays when stones
 * or another import have come to it; without a connection it stays too.
 */
async function forgetSupplier(db: Db, supplierId: number): Promise<void> {
  const isIdle = sql`supplier_id = ${supplierId}
    and not exists (select from gem where supplier_id = ${supplierId})
    and not exists (
      select from import where supplier_id = ${supplierId} and status <> 'failed')`
  try {
    await db.transaction().execute(async (tx) => {
      await sql`delete from import where ${isIdle}`.execute(tx)
      await sql`
        delete from supplier s where id = ${supplierId}
          and not exists (select from gem where supplier_id = s.id)
          and not exists (select from import where supplier_id = s.id)`.execute(tx)
    })
  } catch {
    // The first failure is the one to tell.
  }
}

async function importFeed(running: Running): Promise<ImportReport> {
  const { session, request, supplier } = running
  const { db } = session
  const feed = await openFeed(request.bytes)
  const override = overrideFor(request, supplier, feed)
  const mapping = mapColumns(feed.columns, feed.sample, override)
  refuseWithout(mapping)
  const staging = await stageFeed(running, feed, mapping)
  const isReplace = request.mode === 'replace'
  const damage = feed.damage()
  if (damage !== undefined && isReplace) {
    const detail = `The file is damaged, ${damage}: replacing by it would take out what it lacks.`
    throw new Refusal('invalid_request', detail)
  }
  const levels = staging.prices.levels()
  await quarantinePrices(db, levels, staging.rejections, (field) => columnOf(mapping, field))
  const missing = isReplace ? staging.known.missing() : []
  const plan = await planImport(db, missing)
  if (isReplace) refuseTooMany(plan, staging.known.live(), request.maxRemovedShare)
  if (request.dryRun) {
    const report = reportOf(running, mapping, staging, plan)
    return { ...report, dry_run: true, diff: await describePlan(db) }
  }
  return carryOut(running, mapping, staging, plan)
}

async function stageFeed(running: Running, feed: Feed, mapping: FeedMapping): Promise<Staging> {
  const { session, supplier, currency, onRows } = running
  const rates = new Map([['USD', '1']])
  for (const { currency_code, rate } of await listRates(session.db)) rates.set(currency_code, rate)
  const staging: Staging = {
    settings: draftSettings(mapping, feed.sample, supplier, currency, rates),
    known: await loadKnownStones(session, supplier.id),
    prices: createPriceCheck(),
    notes: createNotes(),
    rejections: createRejectionLog(),
    counts: { rows: 0, unchanged: 0 },
    onRows,
  }
  await createStage(session.db)
  await stageRows(session, feed, staging)
  return staging
}

async function carryOut(
  running: Running,
  mapping: FeedMapping,
  staging: Staging,
  plan: ImportPlan,
): Promise<ImportReport> {
  const { session, request, supplier, uuid } = running
  const { db } = session
  const total = plan.added + plan.changed + plan.removed
  if (total + plan.marked > 0) await setImportStatus(db, uuid, 'applying')
  const applied = await applyImport({
    db,
    importUuid: uuid,
    supplier,
    onStones: (done) => {
      request.onProgress?.({ phase: 'applying', done: Math.min(done, total), total })
    },
  })
  const unchanged = plan.unchanged + applied.skipped
  const report = reportOf(running, mapping, staging, { ...plan, ...applied, unchanged })
  await finishImport(db, uuid, supplier.id, report, {
    columns: report.columns,
    notes: report.notes,
    rejections: staging.rejections.kept(),
  })
  if (request.mapping) await setSupplier(db, supplier.name, { mapping: request.mapping })
  if (total > ANALYZE_FROM_STONES) await analyzeGems(db)
  return report
}

function reportOf(
  { uuid, supplier, request, currency }: Running,
  mapping: FeedMapping,
  staging: Staging,
  plan: ImportPlan,
): ImportReport {
  const mapped = mapping.columns.filter(({ field }) => field !== null)
  const left = mapping.columns.filter(({ field }) => field === null).map(({ column }) => column)
  return {
    uuid,
    supplier: supplier.name,
    mode: request.mode,
    rows: staging.counts.rows,
    added: plan.added,
    changed: plan.changed,
    unchanged: staging.counts.unchanged + plan.unchanged,
    removed: plan.removed,
    rejected: staging.rejections.count(),
    rejections: staging.rejections.kept().map(({ row, column, value, reason }) => {
      return { row, column, value, reason }
    }),
    mapping: Object.fromEntries(mapped.map(({ column, field }) => [column, field as string])),
    unmapped: left,
    columns: mapping.columns,
    quarantined: staging.rejections.kept().filter(({ quarantined }) => quarantined).length,
    not_offered: plan.not_offered,
    currency_code: currency,
    notes: {
      si3: staging.notes.counts().si3,
      unreadable: staging.notes.values(),
      other_labs: staging.notes.otherLabs(),
    },
    dry_run: false,
  }
}

const ANALYZE_FROM_STONES = 10_000
const UNKNOWN_SUPPLIER_ID = 0

/** A dry run makes nothing, not even its supplier. */
async function supplierFor(db: Db, request: ImportRequest): Promise<Supplier> {
  if (!request.dryRun) {
    return db.transaction().execute((tx) => findOrCreateSupplier(tx, request.supplier))
  }
  const known = await findSupplier(db, request.supplier)
  if (known) return known
  const rollback = new Error('a supplier for the dry run only')
  let made: Supplier | undefined
  await db
    .transaction()
    .execute(async (tx) => {
      made = await findOrCreateSupplier(tx, request.supplier)
      throw rollback
    })
    .catch((error: Error) => {
      if (error !== rollback) throw error
    })
  if (!made) throw rollback
  return { ...made, id: UNKNOWN_SUPPLIER_ID }
}

/** The operator's mapping, of this call or remembered; a name that is none is refused. */
function overrideFor(request: ImportRequest, supplier: Supplier, feed: Feed): MappingOverride {
  const override = request.mapping ?? supplier.mapping ?? {}
  const errors = []
  for (const [column, field] of Object.entries(override)) {
    if (field !== null && !isField(field)) {
      const near = findNearestName(field, FIELDS)
      const hint = near ? `; did you mean ${near}?` : ''
      errors.push({ field: `mapping.${column}`, message: `${field} is no field${hint}` })
    }
    if (request.mapping && !feed.columns.includes(column)) {
      const near = findNearestName(column, feed.columns)
      const hint = near ? `; did you mean ${near}?` : ''
      errors.push({ field: `mapping.${column}`, message: `the file has no such column${hint}` })
    }
  }
  if (errors.length > 0) {
    throw new Refusal('invalid_request', 'The mapping does not fit the file.', { errors })
  }
  return override
}

/** Without these no row of the file could be sold. */
function refuseWithout({ at }: FeedMapping): void {
  const hasPrice =
    at.price_per_carat !== undefined ||
    at.total_price !== undefined ||
    (at.list_price !== undefined && at.discount_percentage !== undefined)
  const absent = [
    at.vendor_sku === undefined && at.cert_num === undefined ? 'stock number' : undefined,
    at.weight === undefined ? 'weight' : undefined,
    at.shape === undefined ? 'shape' : undefined,
    hasPrice ? undefined : 'price',
  ].filter((name) => name !== undefined)
  if (absent.length === 0) return
  const detail = `No column of the file was understood as ${absent.join(', ')}; name it in a mapping.`
  throw new Refusal('invalid_request', detail)
}

function columnOf({ at, columns }: FeedMapping, field: FieldName): string {
  const index = at[field]
  return index === undefined ? field : columns[index].column
}

const REMOVED_SHARE_MAX = 0.4

function refuseTooMany(plan: ImportPlan, live: number, share = REMOVED_SHARE_MAX): void {
  const going = plan.removed + plan.not_offered
  if (live === 0 || going <= live * share) return
  const percent = Math.round((going / live) * 100)
  const detail =
    `The file would remove ${going} of ${live} stones (${percent}%), ` +
    `more than the allowed ${Math.round(share * 100)}%; nothing was changed.`
  throw new Refusal('too_many_removed', detail, {
    extra: { removed: going, live, max_removed_percent: Math.round(share * 100) },
  })
}
