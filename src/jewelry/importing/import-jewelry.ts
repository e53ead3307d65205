import type { Db, Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Rejection } from '../../feeds/drafting/gem-draft.ts'
import { checkRemoved } from '../../feeds/importing/checks/import-checks.ts'
import { sniffDecimalComma } from '../../feeds/values/numbers.ts'
import type { Supplier } from '../../gems/supplier.ts'
import { findOrCreateSupplier } from '../../gems/supplier-store.ts'
import { Refusal } from '../../lib/refusal.ts'
import { newUuid } from '../../lib/uuid.ts'
import { BASE_CURRENCY, getRate, listRates } from '../../pricing/exchange-rates.ts'
import { createCatalogue, findCatalogue, getCatalogue } from '../catalogue-store.ts'
import { applyPlan } from './apply-plan.ts'
import { ATTRIBUTE_PREFIX, type ColumnMeaning, meaningOf, OPTION_PREFIX } from './columns.ts'
import {
  type DraftSettings,
  draftVariant,
  isRejection,
  LABELS,
  type VariantDraft,
} from './draft-variant.ts'
import { type JewelryReport, lockSupplierJewelry } from './import-store.ts'
import type { JewelryFile } from './kept-rows.ts'
import { loadKnown, planImport } from './plan-import.ts'
import { readJewelryInThread } from './read-in-thread.ts'

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
  /** The catalogue for new products; the general catalogue unless given. */
  catalogue?: string
}

/** New products go into this catalogue, which every merchant sees. */
const GENERAL_CATALOGUE = 'General'
const REJECTIONS_KEPT_MAX = 10_000

/** Rolls a dry run back and carries its report out of the transaction. */
class DryRun extends Error {
  readonly report: JewelryReport
  constructor(report: JewelryReport) {
    super('a dry run')
    this.report = report
  }
}

/** Imports a supplier's jewelry in one transaction: all of it or nothing. */
export async function importJewelry(db: Db, request: JewelryImportRequest): Promise<JewelryReport> {
  const file = await readJewelryInThread(request.bytes)
  try {
    return await inTransaction(db, async (tx) => {
      const report = await importFile(tx, file, request)
      if (request.dryRun) throw new DryRun(report)
      return report
    })
  } catch (error) {
    if (error instanceof DryRun) return error.report
    throw error
  }
}

async function importFile(
  tx: Tx,
  file: JewelryFile,
  request: JewelryImportRequest,
): Promise<JewelryReport> {
  const supplier = await findOrCreateSupplier(tx, request.supplier)
  await lockSupplierJewelry(tx, supplier.id, supplier.name)
  const catalogue = await catalogueOf(tx, request.catalogue)
  const meanings = meaningsOf(file.columns)
  const settings = await settingsOf(tx, file, supplier, meanings, request.currency)
  const { drafts, rejections } = draftAll(file, settings)
  const known = await loadKnown(tx, supplier.id)
  const plan = planImport(drafts, known, request.mode)
  const live = known.filter(({ listed }) => listed).length
  checkRemoved(plan.removed.length, { live, noun: 'variants' }, request.maxRemovedShare)
  const report: JewelryReport = {
    uuid: newUuid(),
    supplier: supplier.name,
    mode: request.mode,
    rows: file.rows.length,
    added: plan.added.length,
    changed: plan.changed.length,
    unchanged: plan.unchanged,
    removed: plan.removed.length,
    rejected: rejections.length,
    rejections: rejections.slice(0, REJECTIONS_KEPT_MAX),
    mapping: Object.fromEntries(meanings),
    unmapped: file.columns.filter((column) => !meanings.has(column)),
    catalogue: catalogue.name,
    dry_run: request.dryRun ?? false,
  }
  await tx
    .insertInto('jewelry_import')
    .values({
      uuid: report.uuid,
      supplier_id: supplier.id,
      mode: request.mode,
      file_name: (request.fileName ?? '').slice(0, 300),
      report: JSON.stringify(report),
    })
    .execute()
  const target = { importUuid: report.uuid, catalogueUuid: catalogue.uuid }
  await applyPlan(tx, supplier, plan, target)
  return report
}

/** The general catalogue is created by its first use; any other one must exist. */
async function catalogueOf(tx: Tx, name: string | undefined) {
  if (name !== undefined) return getCatalogue(tx, name)
  const general = await findCatalogue(tx, GENERAL_CATALOGUE)
  return general ?? createCatalogue(tx, { name: GENERAL_CATALOGUE, published: true, public: true })
}

/** Maps the columns. A second column with the same meaning is used where the first is empty. */
function meaningsOf(columns: readonly string[]): Map<string, ColumnMeaning> {
  const meanings = new Map<string, ColumnMeaning>()
  for (const column of columns) {
    const meaning = meaningOf(column)
    if (meaning !== undefined) meanings.set(column, meaning)
    else if (OPTION_PREFIX.test(column) || ATTRIBUTE_PREFIX.test(column)) {
      meanings.set(column, 'details')
    }
  }
  return meanings
}

async function settingsOf(
  tx: Tx,
  file: JewelryFile,
  supplier: Supplier,
  meanings: Map<string, ColumnMeaning>,
  named: string | undefined,
): Promise<DraftSettings> {
  const currency = named ?? supplier.currency_code
  // An unknown currency of the file refuses the file; one of a row rejects only the row.
  await getRate(tx, currency)
  const rates = new Map((await listRates(tx)).map((rate) => [rate.currency_code, rate.rate]))
  rates.set(BASE_CURRENCY, '1')
  for (const field of ['vendor_sku', 'title', 'jewelry_type', 'price'] as const) {
    if ([...meanings.values()].includes(field)) continue
    throw new Refusal('invalid_request', `The file has no column for the ${LABELS[field]}.`)
  }
  const priceColumns = file.columns.filter((column) => meanings.get(column) === 'price')
  const prices = file.rows.flatMap(({ cells }) =>
    priceColumns.flatMap((column) => cells.get(column) ?? []),
  )
  const style = { decimalComma: sniffDecimalComma(prices) ?? false }
  return { supplier, meanings, currency, rates, style }
}

function draftAll(file: JewelryFile, settings: DraftSettings) {
  const drafts: VariantDraft[] = []
  const rejections: Rejection[] = []
  const seen = new Map<string, number>()
  const products = new Map<string, VariantDraft['product']>()
  for (const row of file.rows) {
    const draft = draftVariant(row, settings)
    if (isRejection(draft)) {
      rejections.push(draft)
      continue
    }
    const { vendor_sku } = draft.variant
    const first = seen.get(vendor_sku)
    if (first === undefined) {
      seen.set(vendor_sku, row.row)
      // Variants of one product may have different titles; the first row's is used for all.
      const product = products.get(draft.product.vendor_sku) ?? draft.product
      products.set(product.vendor_sku, product)
      drafts.push({ ...draft, product })
    } else {
      const reason = `Row ${first} already has this stock number`
      rejections.push({ row: row.row, column: 'Stock Number', value: vendor_sku, reason })
    }
  }
  return { drafts, rejections }
}
