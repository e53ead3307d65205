import { recordEntry } from '../../audit/record-entry.ts'
import { analyzeTables } from '../../database/copy.ts'
import type { Db, Tx } from '../../database/open.ts'
import { inTransaction, turnsWithin } from '../../database/transaction.ts'
import type { Rejection } from '../../feeds/drafting/gem-draft.ts'
import {
  checkDamage,
  checkJumps,
  checkRemoved,
} from '../../feeds/importing/checks/import-checks.ts'
import { checkTitleCurrency } from '../../feeds/importing/checks/outside-signs.ts'
import { REJECTIONS_KEPT_MAX } from '../../feeds/importing/rejection-log.ts'
import { mappedNames } from '../../feeds/mapping/list-names.ts'
import type { MappingFile, OwnMapping } from '../../feeds/mapping/mapping-file.ts'
import { currencyOfHeader } from '../../feeds/values/currency.ts'
import { hasDecimalPoints, sniffDecimalComma } from '../../feeds/values/numbers.ts'
import type { Supplier } from '../../gems/supplier.ts'
import { findOrCreateSupplier, findSupplier, setSupplier } from '../../gems/supplier-store.ts'
import { Refusal } from '../../lib/refusal.ts'
import { createTurns, type Turns } from '../../lib/turns.ts'
import { newUuid } from '../../lib/uuid.ts'
import { getRate, loadRates } from '../../pricing/exchange-rates.ts'
import { findOrCreateCatalogue, getCatalogue } from '../catalogue-store.ts'
import { applyPlan } from './apply-plan.ts'
import { checkPriceColumns } from './check-price-columns.ts'
import type { ColumnMeaning } from './columns.ts'
import type { DraftSettings } from './drafting/draft-settings.ts'
import { draftVariant, isRejection, type VariantDraft } from './drafting/draft-variant.ts'
import { createJewelryNotes } from './drafting/jewelry-notes.ts'
import { LABELS } from './drafting/row-texts.ts'
import {
  insertJewelryImport,
  type JewelryReport,
  loadKnown,
  lockSupplierJewelry,
  recordFailure,
} from './import-store.ts'
import { readJewelryMapping } from './jewelry-fields.ts'
import { type MappedFile, mapFile } from './map-file.ts'
import { givenColumns } from './omitted-columns.ts'
import { countJumps, type ImportPlan, planImport } from './plan-import.ts'
import type { FileRow } from './reading/kept-rows.ts'
import { readJewelryInThread } from './reading/read-in-thread.ts'
import { keepRejected, type RejectedRows } from './rejected-rows.ts'
import { completeRows } from './shop-rows.ts'

interface JewelryImportRequest {
  /** The supplier's name; an unknown supplier is created by its first import. */
  supplier: string
  bytes: AsyncIterable<Uint8Array>
  fileName?: string
  mode: 'update' | 'replace'
  dryRun?: boolean
  /** The currency of prices that name none; the supplier's unless given. */
  currency?: string
  /** The share of the supplier's listed variants, 0 to 1, that a replacing file may remove. */
  maxRemovedShare?: number
  /** The share of the known variants, 0 to 1, whose price may jump by a fifth or more. */
  maxJumpsShare?: number
  /** The catalogue for new products; the general catalogue unless given. */
  catalogue?: string
  /** What the columns are; it is saved for the supplier. */
  mapping?: MappingFile
  /** Ends the import when nobody waits for its report any more. */
  signal?: AbortSignal | undefined
  /** Called at the end with the rejected rows, whose cells the report does not have. */
  onRejected?: (rejected: RejectedRows) => void
}

/** New products go into this catalogue, which every merchant sees. */
const GENERAL_CATALOGUE = 'General'

/** Rolls a dry run back and carries its report out of the transaction. */
class DryRun extends Error {
  readonly report: JewelryReport
  constructor(report: JewelryReport) {
    super('a dry run')
    this.report = report
  }
}

/** Imports of more rows refresh the statistics that PostgreSQL plans queries by. */
const ANALYZE_FROM_ROWS = 10_000

/** Imports a supplier's jewelry in one transaction: all of it or nothing. */
export async function importJewelry(db: Db, request: JewelryImportRequest): Promise<JewelryReport> {
  try {
    const { isSaved, own } = await mappingFor(db, request)
    const read = await readJewelryInThread(request.bytes, {
      mapped: mappedNames(own),
      isExplained: false,
    })
    const turns = createTurns(request.signal)
    const file = await mapFile(read, own, { isSaved, turns })
    const report = await inTransaction(db, async (tx) => {
      const found = await importFile(tx, file, request, turnsWithin(tx, turns))
      if (request.dryRun) throw new DryRun(found)
      return found
    })
    if (report.rows > ANALYZE_FROM_ROWS) await analyzeTables(db)
    return report
  } catch (error) {
    if (error instanceof DryRun) return error.report
    if (!request.dryRun) await recordFailure(db, request, error as Error)
    throw error
  }
}

/** The mapping of this import, or the one that is remembered for the supplier. */
export async function mappingFor(
  db: Db,
  { supplier, mapping }: Pick<JewelryImportRequest, 'supplier' | 'mapping'>,
): Promise<{ own: OwnMapping; isSaved: boolean }> {
  if (mapping !== undefined) return { own: readJewelryMapping(mapping), isSaved: false }
  const known = await findSupplier(db, supplier)
  return { own: readJewelryMapping(known?.jewelry_mapping ?? {}), isSaved: true }
}

async function importFile(
  tx: Tx,
  mapped: MappedFile,
  request: JewelryImportRequest,
  turns: Turns,
): Promise<JewelryReport> {
  const supplier = await findOrCreateSupplier(tx, request.supplier)
  await lockSupplierJewelry(tx, supplier.id, supplier.name)
  const catalogue = await catalogueOf(tx, request.catalogue)
  const { rows, notes: shopNotes } = await completeRows(mapped, turns)
  const file = { ...mapped, rows }
  const known = await loadKnown(tx, supplier.id)
  const numbers = new Set(known.map(({ vendor_sku }) => vendor_sku))
  const isKnown = (vendorSku: string) => numbers.has(vendorSku)
  const settings = { ...(await settingsOf(tx, file, supplier, request.currency)), isKnown }
  const { drafts, rejections, rejected } = await draftAll(file, settings, turns)
  if (request.mode === 'replace') checkDamage(file.damage)
  const options = { mode: request.mode, given: givenColumns(mapped) }
  const plan = await planImport(drafts, known, options, turns)
  const live = known.filter(({ listed }) => listed).length
  checkRemoved(plan.removed.length, { live, noun: 'variants' }, request.maxRemovedShare)
  const priced = { known: plan.changed.length + plan.unchanged, noun: 'variants' } as const
  checkJumps(countJumps(plan), priced, request.maxJumpsShare)
  const report: JewelryReport = {
    uuid: newUuid(),
    supplier: supplier.name,
    mode: request.mode,
    rows: mapped.rows.length,
    added: plan.added.length,
    changed: plan.changed.length,
    unchanged: plan.unchanged,
    removed: plan.removed.length,
    rejected: rejections.length,
    rejections: rejections.slice(0, REJECTIONS_KEPT_MAX),
    mapping: Object.fromEntries(file.meanings),
    unmapped: file.columns.filter((column) => !file.meanings.has(column)),
    notes: [...file.notes, ...shopNotes, ...settings.notes.sentences(), ...retailNotes(plan)],
    catalogue: catalogue.name,
    dry_run: request.dryRun ?? false,
  }
  const own = file.columns.filter((column) => !file.constants.has(column))
  const kept = keepRejected(own, rejected)
  request.onRejected?.(kept)
  await insertJewelryImport(tx, supplier.id, { report, rejected: kept, request })
  if (request.mapping) {
    await setSupplier(tx, supplier.name, { jewelry_mapping: request.mapping })
  }
  await recordImport(tx, report, request.fileName)
  const target = { importUuid: report.uuid, catalogueUuid: catalogue.uuid }
  await applyPlan(tx, supplier, plan, target)
  return report
}

function retailNotes({ added, changed }: ImportPlan): string[] {
  const drafts = [...added, ...changed.map(({ draft }) => draft)]
  const count = drafts.filter(({ isRetailComputed }) => isRetailComputed).length
  if (count === 0) return []
  const rows = count === 1 ? 'One row has' : `${count} rows have`
  return [`${rows} no retail price, so that it is twice the wholesale price.`]
}

async function recordImport(tx: Tx, report: JewelryReport, file_name = ''): Promise<void> {
  const { uuid, supplier, mode, catalogue, rows } = report
  const { added, changed, unchanged, removed, rejected } = report
  const counts = { rows, added, changed, unchanged, removed, rejected }
  await recordEntry(tx, {
    action: 'jewelry_import.run',
    subject: { kind: 'jewelry_import', id: uuid },
    after: { supplier, mode, catalogue, file_name, ...counts },
  })
}

/** The general catalogue is created by its first use; any other one must exist. */
function catalogueOf(tx: Tx, name: string | undefined) {
  if (name !== undefined) return getCatalogue(tx, name)
  return findOrCreateCatalogue(tx, { name: GENERAL_CATALOGUE, published: true, public: true })
}

async function settingsOf(
  tx: Tx,
  file: MappedFile,
  supplier: Supplier,
  named: string | undefined,
): Promise<Omit<DraftSettings, 'isKnown'>> {
  const { meanings } = file
  const currency = named ?? supplier.currency_code
  // An unknown currency of the file refuses the file; one of a row rejects only the row.
  await getRate(tx, currency)
  const rates = await loadRates(tx)
  const missing = missingFields(meanings)
  if (missing.length > 0) {
    const detail =
      `The file has no column for the ${missing.join(', ')}; name it in a mapping, which ` +
      '--explain writes and --mapping reads.'
    throw new Refusal('invalid_request', detail)
  }
  const priceColumns = file.columns.filter((column) => meanings.get(column) === 'price')
  const isNamed =
    named !== undefined ||
    [...meanings.values()].includes('currency') ||
    priceColumns.some((column) => currencyOfHeader(column) !== undefined)
  checkTitleCurrency(file.titles, { currency, isNamed })
  const prices = file.rows.flatMap(({ cells }) =>
    priceColumns.flatMap((column) => cells.get(column) ?? []),
  )
  const style = { decimalComma: sniffDecimalComma(prices) ?? false }
  checkPriceColumns(file, priceColumns, style)
  const hasDecimalPrices = hasDecimalPoints(prices)
  const notes = createJewelryNotes()
  return { supplier, meanings, currency, rates, style, hasDecimalPrices, notes }
}

/** What every piece needs, of which the file has no column. */
export function missingFields(meanings: ReadonlyMap<string, ColumnMeaning>): string[] {
  const meant = new Set(meanings.values())
  const needed: [keyof typeof LABELS, ColumnMeaning[]][] = [
    ['vendor_sku', ['vendor_sku']],
    ['title', ['title']],
    ['jewelry_type', ['jewelry_type', 'category']],
    ['price', ['price']],
  ]
  return needed
    .filter(([, fields]) => !fields.some((field) => meant.has(field)))
    .map(([field]) => LABELS[field])
}

async function draftAll(file: MappedFile, settings: DraftSettings, turns: Turns) {
  const drafts: VariantDraft[] = []
  const rejections: Rejection[] = []
  const rejected: FileRow[] = []
  const [skuColumn] = [...file.meanings].find(([, meaning]) => meaning === 'vendor_sku') ?? []
  const reject = (row: FileRow, rejection: Rejection) => {
    rejections.push(rejection)
    rejected.push(row)
  }
  const seen = new Map<string, number>()
  for (const row of file.rows) {
    if (turns.isOver()) await turns.next()
    const draft = draftVariant(row, settings)
    if (isRejection(draft)) {
      reject(row, draft)
      continue
    }
    const { vendor_sku } = draft.variant
    const first = seen.get(vendor_sku)
    if (first === undefined) {
      seen.set(vendor_sku, row.row)
      drafts.push(draft)
    } else {
      const reason = `Row ${first} already has this stock number`
      reject(row, { row: row.row, column: skuColumn ?? '', value: vendor_sku, reason })
    }
  }
  return { drafts, rejections, rejected }
}
