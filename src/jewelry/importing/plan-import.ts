import type { Tx } from '../../database/open.ts'
import type { VariantDraft } from './draft-variant.ts'

/** A variant of the supplier that already exists, with its product. */
type KnownVariant = Awaited<ReturnType<typeof loadKnown>>[number]

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

export interface ImportPlan {
  added: VariantDraft[]
  changed: { known: KnownVariant; draft: VariantDraft }[]
  unchanged: number
  /** What a replacing file no longer lists. */
  removed: KnownVariant[]
}

/** Compares the file with the supplier's variants and decides what to do, without writing. */
export function planImport(
  drafts: readonly VariantDraft[],
  known: readonly KnownVariant[],
  mode: 'update' | 'replace',
): ImportPlan {
  const bySku = new Map(known.map((variant) => [variant.vendor_sku, variant]))
  const plan: ImportPlan = { added: [], changed: [], unchanged: 0, removed: [] }
  for (const draft of drafts) {
    const variant = bySku.get(draft.variant.vendor_sku)
    bySku.delete(draft.variant.vendor_sku)
    if (!variant) plan.added.push(draft)
    else if (isSame(variant, draft)) plan.unchanged++
    else plan.changed.push({ known: variant, draft })
  }
  if (mode === 'replace') plan.removed = [...bySku.values()].filter((variant) => variant.listed)
  return plan
}

function isSame(known: KnownVariant, { product, variant }: VariantDraft): boolean {
  return (
    known.listed &&
    known.product_vendor_sku === product.vendor_sku &&
    known.type === product.type &&
    known.title === product.title &&
    known.description === product.description &&
    Object.entries(variant).every(
      ([column, value]) =>
        JSON.stringify(known[column as keyof KnownVariant]) === JSON.stringify(value),
    )
  )
}
