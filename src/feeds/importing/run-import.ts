import { analyzeTables } from '../../database/copy.ts'
import type { Database, Db } from '../../database/open.ts'
import type { Supplier } from '../../gems/supplier.ts'
import { findSupplier, setSupplier } from '../../gems/supplier-store.ts'
import { Refusal } from '../../lib/refusal.ts'
import { newUuid } from '../../lib/uuid.ts'
import { getRate } from '../../pricing/exchange-rates.ts'
import { type DraftSettings, draftSettings } from '../drafting/draft-settings.ts'
import { createNotes } from '../drafting/notes.ts'
import { readGridVersion, refreshGridPrices } from '../grids/grid-prices.ts'
import type { MappedFeed } from '../mapping/apply-mapping.ts'
import type { FieldName } from '../mapping/fields.ts'
import type { FeedMapping } from '../mapping/mapping.ts'
import type { Feed } from '../reading/open-feed.ts'
import { applyImport } from './applying/apply-import.ts'
import { recoverSupplier } from './applying/recover-imports.ts'
import { revertImport } from './applying/undo-import.ts'
import {
  checkColumns,
  checkDamage,
  checkJumps,
  checkRemoved,
  checkTranslations,
} from './checks/import-checks.ts'
import {
  checkOneHeader,
  checkOutsideGrowth,
  checkTitleCurrency,
  createOutsideSigns,
} from './checks/outside-signs.ts'
import { createPriceCheck, largestLevels, quarantinePrices } from './checks/price-check.ts'
import { checkPriceLevels } from './checks/price-level.ts'
import { checkRivalPrices, settlePriceMeaning } from './checks/price-question.ts'
import { checkSameNames } from './checks/same-names.ts'
import { compareRows } from './compare-rows.ts'
import { checkReading, type FileReading, readingOf } from './file-reading.ts'
import { finishImport, insertImport, setImportStatus } from './import-store.ts'
import { forgetSupplier, supplierFor, UNKNOWN_SUPPLIER_ID } from './import-supplier.ts'
import { loadKnownStones } from './known/load-known-stones.ts'
import { keepOmitted } from './omitted-columns.ts'
import { describePlan, type ImportPlan, planImport } from './plan-import.ts'
import { createRejectionLog } from './rejection-log.ts'
import { createRowProgress, type ImportReport, type ImportRequest, reportOf } from './report.ts'
import { type ImportSession, inImportSession, lockSupplier } from './session.ts'
import { createStage, type Staging, stageRows } from './stage-rows.ts'
import { openMappedFeed, understandFeed } from './understand-feed.ts'

/**
 * Imports a supplier's feed in two phases. The first reads the whole file into a staging table and
 * decides what is new, changed, gone or suspicious, and whether so much may be removed. The second
 * applies it in small transactions with a journal. If anything interrupts it, the journal is used
 * to revert what was done.
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
    const onRows = createRowProgress(database.db, uuid, request)
    try {
      const currency = request.currency ?? supplier.currency_code
      await getRate(db, currency)
      const pool = database.db
      const running: RunningImport = { session, pool, request, supplier, currency, uuid, onRows }
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
      if (!request.dryRun) await revertFailed(db, uuid, error as Error)
      if (isNew && !request.dryRun) await forgetSupplier(db, supplier.id)
      throw error
    }
  })
}

interface RunningImport {
  session: ImportSession
  /** Other connections than that of the session. */
  pool: Db
  request: ImportRequest
  supplier: Supplier
  currency: string
  uuid: string
  onRows: (rows: number) => void
}

/** Reverts what was done. Without a connection, the next recovery does it. */
async function revertFailed(db: Db, uuid: string, error: Error): Promise<void> {
  try {
    await revertImport(db, uuid)
    const isRefusal = error instanceof Refusal
    const failure = isRefusal ? error.message : `The import failed: ${error.message}`
    await setImportStatus(db, uuid, 'failed', failure)
  } catch {
    // The first failure is the one to report; the import stays unfinished and will be recovered.
  }
}

async function importFeed(running: RunningImport): Promise<ImportReport> {
  const { request, supplier } = running
  const feed = await openMappedFeed(request, supplier)
  try {
    return await importOpenFeed(running, feed)
  } finally {
    // A refusal leaves rows unread; the thread and the temporary file of a workbook must not stay.
    await feed.close()
  }
}

async function importOpenFeed(running: RunningImport, feed: MappedFeed): Promise<ImportReport> {
  const { session, request, supplier, currency } = running
  const { db } = session
  const { relearn } = request
  const understood = await understandFeed(db, feed, { supplier, currency, relearn })
  const { mapping, learned, rates } = understood
  checkTranslations(mapping, feed)
  checkColumns(mapping, feed.sample)
  checkSameNames(mapping, feed.sample)
  checkRivalPrices(mapping)
  settlePriceMeaning(mapping, { option: request.price, learned })
  const settings = draftSettings(mapping, feed.sample, {
    supplier,
    currency,
    rates,
    learned,
    titles: feed.titles,
  })
  checkReading(learned, readingOf(settings, []), mapping.columns)
  const staging = await stageFeed(running, feed, settings)
  const isNamed = settings.headerCurrencies.size > 0 || mapping.at.currency_code !== undefined
  checkTitleCurrency(feed.titles, { currency, isNamed: isNamed || request.currency !== undefined })
  feed.checkColumns()
  checkOneHeader(staging.outside)
  checkOutsideGrowth(staging.outside, staging.prices.levels(), supplier)
  const isReplace = request.mode === 'replace'
  if (isReplace) checkDamage(feed.damage())
  const levels = largestLevels(staging.prices.levels(), learned?.price_levels ?? [])
  const isAccepted = request.acceptPrices === true
  await checkPriceLevels(db, { levels, supplier, currency, isAccepted })
  await quarantinePrices(db, {
    levels,
    supplierId: supplier.id,
    rejections: staging.rejections,
    columnOf: (field) => columnOf(mapping, field),
  })
  if (!isReplace) await keepOmitted(db, mapping, supplier)
  const plan = await planImport(db, isReplace ? staging.known.missing() : [])
  if (isReplace) {
    const stock = { live: staging.known.live(), noun: 'stones' } as const
    checkRemoved(plan.removed + plan.not_offered, stock, request.maxRemovedShare)
  }
  const priced = { known: plan.known + staging.counts.unchanged, noun: 'stones' } as const
  checkJumps(plan.jumps, priced, request.maxJumpsShare)
  request.onRejected?.(staging.rejections.kept())
  if (request.dryRun) {
    const report = reportOf(headOf(running), mapping, staging, plan)
    return { ...report, dry_run: true, diff: await describePlan(db, request.reader ?? 'operator') }
  }
  return applyPlan(running, staging, plan, readingOf(settings, levels))
}

async function stageFeed(
  running: RunningImport,
  feed: Feed,
  settings: DraftSettings,
): Promise<Staging> {
  const { session, supplier, onRows } = running
  const staging: Staging = {
    settings,
    sample: feed.sample,
    known: await loadKnownStones(session, supplier.id),
    prices: createPriceCheck(),
    notes: createNotes(),
    rejections: createRejectionLog(),
    outside: createOutsideSigns({
      columns: feed.columns,
      titles: feed.titles,
      fileName: running.request.fileName,
      supplierName: supplier.name,
    }),
    counts: { rows: 0, unchanged: 0, unreadable: 0 },
    taken: new Map(),
    fileNotes: feed.notes,
    onRows,
    signal: running.request.signal,
  }
  await createStage(session.db)
  await stageRows(session, feed, staging)
  await compareRows(session.db, staging)
  return staging
}

/** Imports of more stones refresh the statistics that PostgreSQL plans queries by. */
const ANALYZE_FROM_STONES = 10_000

async function applyPlan(
  running: RunningImport,
  staging: Staging,
  plan: ImportPlan,
  reading: FileReading,
): Promise<ImportReport> {
  const { session, pool, request, supplier, uuid } = running
  const { db } = session
  const total = plan.added + plan.changed + plan.removed
  if (total + plan.marked > 0) await setImportStatus(db, uuid, 'applying')
  const applied = await applyImport({
    db,
    pool,
    importUuid: uuid,
    supplier,
    onStones: (done) => {
      request.onProgress?.({ phase: 'applying', done: Math.min(done, total), total })
    },
  })
  // A sheet of reference prices that was loaded since the plan could not reach these stones.
  if ((await readGridVersion(db)) !== plan.grids) {
    await refreshGridPrices(db, { supplierId: supplier.id })
  }
  const unchanged = plan.unchanged + applied.skipped
  const { mapping } = staging.settings
  const report = reportOf(headOf(running), mapping, staging, { ...applied, unchanged })
  await finishImport(db, uuid, supplier.id, report, {
    columns: report.columns,
    notes: report.notes,
    rejections: staging.rejections.kept(),
    reading,
  })
  if (request.mapping) await setSupplier(db, supplier.name, { mapping: request.mapping })
  if (total > ANALYZE_FROM_STONES) await analyzeTables(db)
  return report
}

function headOf({ uuid, supplier, request, currency }: RunningImport) {
  return { uuid, supplier: supplier.name, mode: request.mode, currency_code: currency }
}

function columnOf({ at, columns }: FeedMapping, field: FieldName): string {
  const index = at[field]
  return index === undefined ? field : columns[index].column
}
