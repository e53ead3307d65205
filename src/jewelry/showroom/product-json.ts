import { amountFrom } from '../../lib/money.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import type { ProductRow, VariantRow } from './rows.ts'
import type { Viewer } from './viewer.ts'

/**
 * Renders products and variants as JSON text. Only two prices and the currency depend on the
 * caller; the text around them is made once and cached for as long as the row exists. A page of
 * 100 products contains some 400 variants, and this is what makes it cheap (bench/catalogue).
 */
export interface ProductJson {
  renderProduct(row: ProductRow, viewer: Viewer, withDetails: boolean): string
  renderVariant(row: VariantRow, viewer: Viewer, withDetails: boolean): string
  /** A variant with all its details and what a shop shows of its product. */
  renderListing(row: VariantRow, viewer: Viewer): string
}

interface FixedText {
  before: string
  after: string
  /** The members that only a caller who asks for details gets, and the end of the object. */
  details: string
}

export function createProductJson(): ProductJson {
  const texts = new WeakMap<object, FixedText>()

  function fixedTextOf(row: object, make: () => FixedText): FixedText {
    let text = texts.get(row)
    if (!text) {
      text = make()
      texts.set(row, text)
    }
    return text
  }

  function renderVariant(row: VariantRow, viewer: Viewer, withDetails: boolean): string {
    const { priceList, currencyCode } = viewer
    const { before, after, details } = fixedTextOf(row, () => fixedTextOfVariant(row))
    const wholesale = amountFrom(viewer.wholesale.convert(row.wholesale[priceList]))
    const retail = amountFrom(viewer.retail.convert(row.retail_cents))
    const specified = `${before}"wholesale_price":${wholesale},"retail_price":${retail}${after}`
    if (!withDetails) return `${specified}}`
    // A currency that has a rate is three letters, which need no escaping.
    return `${specified},"currency_code":"${currencyCode}"${details}`
  }

  return {
    renderVariant,
    renderListing(row, viewer) {
      const { title, description, vendor } = row.product
      const rest = restOf({ title, description, vendor })
      return `${renderVariant(row, viewer, true).slice(0, -1)}${rest}`
    },
    renderProduct(row, viewer, withDetails) {
      const { before, details } = fixedTextOf(row, () => fixedTextOfProduct(row))
      const variants = row.variants
        .map((each) => renderVariant(each, viewer, withDetails))
        .join(',')
      return `${before}"variants":[${variants}]${withDetails ? details : '}'}`
    },
  }
}

function fixedTextOfProduct({ id, title, description, type, vendor, ...row }: ProductRow) {
  return {
    before: startOf({ id, title, description, type, vendor }),
    after: '',
    details: restOf({
      created_on: isoWithOffset(row.created_on),
      updated_on: isoWithOffset(row.updated_on),
    }),
  }
}

function fixedTextOfVariant(row: VariantRow): FixedText {
  return {
    before: startOf({ id: row.id, sku: row.sku, product_type: row.product.type }),
    after: restOf({
      quantity: row.quantity,
      variant_options: row.variant_options,
      filter_variant_options: row.filter_variant_options,
    }).slice(0, -1),
    details: restOf({
      product_id: row.product.id,
      returnable: row.returnable,
      delivery_days_min: row.delivery_days_min,
      delivery_days_max: row.delivery_days_max,
      media: row.media.map(({ kind, url }) => ({ kind, url })),
      created_on: isoWithOffset(row.created_on),
      updated_on: isoWithOffset(row.updated_on),
    }),
  }
}

/** The start of an object, ready for another member. */
function startOf(members: object): string {
  return `${JSON.stringify(members).slice(0, -1)},`
}

/** Further members of an object, and its end. */
function restOf(members: object): string {
  return `,${JSON.stringify(members).slice(1)}`
}
