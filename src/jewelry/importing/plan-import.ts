import { JUMP_PERCENT_MIN } from '../../feeds/importing/plan-import.ts'
import type { Turns } from '../../lib/turns.ts'
import type { VariantDraft } from './drafting/draft-variant.ts'
import type { KnownVariant } from './import-store.ts'
import { type GivenColumns, keepOmitted } from './omitted-columns.ts'

export interface ImportPlan {
  added: VariantDraft[]
  changed: { known: KnownVariant; draft: VariantDraft }[]
  unchanged: number
  /** What a replacing file no longer lists. */
  removed: KnownVariant[]
}

/** Compares the file with the supplier's variants and decides what to do, without writing. */
export async function planImport(
  drafts: readonly VariantDraft[],
  known: readonly KnownVariant[],
  { mode, given }: { mode: 'update' | 'replace'; given: GivenColumns },
  turns: Turns,
): Promise<ImportPlan> {
  const bySku = new Map(known.map((variant) => [variant.vendor_sku, variant]))
  const plan: ImportPlan = { added: [], changed: [], unchanged: 0, removed: [] }
  const products = new Map<string, VariantDraft['product']>()
  for (const each of drafts) {
    if (turns.isOver()) await turns.next()
    const variant = bySku.get(each.variant.vendor_sku)
    bySku.delete(each.variant.vendor_sku)
    // A replacing file is the whole list: what it has no column for is not known any more.
    const own = variant && mode === 'update' ? keepOmitted(each, variant, given) : each
    // Variants of one product may have different titles; the first row's is used for all.
    const product = products.get(own.product.vendor_sku) ?? own.product
    products.set(product.vendor_sku, product)
    const draft = { ...own, product }
    if (!variant) plan.added.push(draft)
    else if (isSame(variant, draft)) plan.unchanged++
    else plan.changed.push({ known: variant, draft })
  }
  if (mode === 'replace') plan.removed = [...bySku.values()].filter((variant) => variant.listed)
  return plan
}

/** The supplier's price counts: a new markup does not make the file jump. */
export function countJumps({ changed }: ImportPlan): number {
  return changed.filter(({ known, draft }) => {
    const percent = Math.abs(Number(draft.variant.cost) / Number(known.cost) - 1) * 100
    return percent >= JUMP_PERCENT_MIN
  }).length
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
