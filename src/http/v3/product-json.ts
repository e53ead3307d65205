import type { FastifyReply } from 'fastify'
import type { Found } from '../../jewelry/showroom/query.ts'
import type { ProductRow, VariantRow } from '../../jewelry/showroom/rows.ts'
import type { Viewer } from '../../jewelry/showroom/viewer.ts'
import { amountFrom } from '../../lib/money.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'

/**
 * Products and variants as JSON text. Only two prices and the currency depend on the caller; the
 * text around them is made once and kept beside the row, for as long as the row lives. A page of
 * 100 products holds some 400 variants, and this is what makes it cheap (bench/catalogue).
 */
const fixedTexts = new WeakMap<object, FixedText>()

interface FixedText {
  before: string
  after: string
  /** The members that are answered only to those who ask for details, and the end. */
  details: string
}

/** Sends a page that is text already. */
export function sendPage<Row>(
  reply: FastifyReply,
  name: 'products' | 'variants',
  { rows, total }: Found<Row>,
  { offset, limit }: { offset: number; limit: number },
  render: (row: Row) => string,
): FastifyReply {
  const page = rows.map(render).join(',')
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(`{"${name}":[${page}],"total":${total},"offset":${offset},"limit":${limit}}`)
}

export function renderProduct(row: ProductRow, viewer: Viewer, withDetails: boolean): string {
  const { before, details } = fixedTextOf(row, () => ({
    before: open({
      id: row.id,
      title: row.title,
      description: row.description,
      type: row.type,
      vendor: row.vendor,
    }),
    after: '',
    details: more({
      created_on: isoWithOffset(row.created_on),
      updated_on: isoWithOffset(row.updated_on),
    }),
  }))
  const variants = row.variants.map((each) => renderVariant(each, viewer, withDetails)).join(',')
  return `${before}"variants":[${variants}]${withDetails ? details : '}'}`
}

export function renderVariant(row: VariantRow, viewer: Viewer, withDetails: boolean): string {
  const { conversion, priceList, currencyCode } = viewer
  const { before, after, details } = fixedTextOf(row, () => fixedTextOfVariant(row))
  const wholesale = amountFrom(conversion.convert(row.wholesale[priceList]))
  const retail = amountFrom(conversion.convert(row.retail_cents))
  const specified = `${before}"wholesale_price":${wholesale},"retail_price":${retail}${after}`
  // The currency has a rate, so it is three letters and needs no escaping.
  return withDetails ? `${specified},"currency_code":"${currencyCode}"${details}` : `${specified}}`
}

function fixedTextOfVariant(row: VariantRow): FixedText {
  return {
    before: open({ id: row.id, sku: row.sku, product_type: row.product.type }),
    after: more({
      quantity: row.quantity,
      variant_options: row.variant_options,
      filter_variant_options: row.filter_variant_options,
    }).slice(0, -1),
    details: more({
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

function fixedTextOf(row: object, make: () => FixedText): FixedText {
  let text = fixedTexts.get(row)
  if (!text) {
    text = make()
    fixedTexts.set(row, text)
  }
  return text
}

/** An object without its end, ready for another member. */
function open(members: object): string {
  return `${JSON.stringify(members).slice(0, -1)},`
}

/** Further members of an object and its end. */
function more(members: object): string {
  return `,${JSON.stringify(members).slice(1)}`
}
