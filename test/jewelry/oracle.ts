import type { Database } from '../../src/database/open.ts'

/** The market's jewelry as plain rows, and a simple, slow implementation of the queries. */
export interface OracleVariant {
  id: string
  sku: string
  vendor_sku: string
  product_id: string
  type: string
  title: string
  description: string
  vendor_id: string
  filter_variant_options: Record<string, string | string[]>
  wholesale_price: string
  wholesale_price_us: string
  retail_price: string
  quantity: number
  returnable: boolean
  delivery_days_max: number | null
  media: unknown[]
  created_on: string
  updated_on: string
  product_created_on: string
  product_updated_on: string
  catalogues: string[]
}

export async function readOracle({ pool }: Database): Promise<OracleVariant[]> {
  const { rows } = await pool.query(`
    select variant.*, case when listed then quantity else 0 end as quantity,
      product.type, title, product.description, supplier.uuid as vendor_id,
      product.created_on as product_created_on, product.updated_on as product_updated_on,
      array(select catalogue_uuid::text from catalogue_product
        where product_id = product.id) as catalogues
    from variant join product on product.id = product_id
    join supplier on supplier.id = product.supplier_id
    order by product_id, position, id`)
  return rows
}

export interface OracleViewer {
  catalogues: Set<string>
  us: boolean
  rate: number
  /** Percent by which the merchant's own terms change wholesale prices, whole or half. */
  percent: number
}

export interface OracleBody {
  q?: string
  id?: string[]
  product_id?: string[]
  type?: string[]
  filter_variant_options?: Record<string, string | string[]>
  has_media?: boolean
  returnable?: boolean
  wholesale_price_min?: number
  wholesale_price_max?: number
  retail_price_min?: number
  retail_price_max?: number
  delivery_days_max?: number
  include_unavailable?: boolean
  order_by?: string
  order?: 'asc' | 'desc'
  limit?: number
  offset?: number
}

export function wholesaleOf(variant: OracleVariant, viewer: OracleViewer): number {
  const digits = viewer.us ? variant.wholesale_price_us : variant.wholesale_price
  const cents = Math.round(Number(digits) * 100) * Math.round(10 * (100 + viewer.percent))
  return converted((Math.floor((cents + 500) / 1_000) / 100).toFixed(2), viewer.rate)
}

export function converted(digits: string, rate: number): number {
  // Rates in these tests have at most four decimals, so all numbers are exact below 2^53.
  const scaled = Math.round(Number(digits) * 100) * Math.round(rate * 10_000)
  return Math.floor((scaled + 5_000) / 10_000) / 100
}

export function matchesVariant(
  variant: OracleVariant,
  viewer: OracleViewer,
  body: OracleBody,
): boolean {
  const wholesale = wholesaleOf(variant, viewer)
  const retail = converted(variant.retail_price, viewer.rate)
  return (
    variant.catalogues.some((uuid) => viewer.catalogues.has(uuid)) &&
    (body.include_unavailable === true || variant.quantity > 0) &&
    (body.type ?? [variant.type]).includes(variant.type) &&
    (body.product_id ?? [variant.product_id]).includes(variant.product_id) &&
    (body.has_media ?? variant.media.length > 0) === variant.media.length > 0 &&
    (body.returnable ?? variant.returnable) === variant.returnable &&
    wholesale >= (body.wholesale_price_min ?? 0) &&
    wholesale <= (body.wholesale_price_max ?? Number.POSITIVE_INFINITY) &&
    retail >= (body.retail_price_min ?? 0) &&
    retail <= (body.retail_price_max ?? Number.POSITIVE_INFINITY) &&
    (variant.delivery_days_max ?? 1e9) <= (body.delivery_days_max ?? 1e9) &&
    Object.entries(body.filter_variant_options ?? {}).every(([key, wanted]) => {
      const has = [variant.filter_variant_options[key] ?? []].flat()
      return [wanted].flat().some((value) => has.includes(value))
    }) &&
    hasWords(variant, body.q ?? '')
  )
}

function hasWords(variant: OracleVariant, q: string): boolean {
  const { metal, stone, jewelry_type } = variant.filter_variant_options
  const texts = [variant.sku, variant.vendor_sku, variant.title, variant.description]
  const all = plain([...texts, metal, stone, jewelry_type].flat().filter(Boolean).join(' '))
  const starts = all.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)])
  return plain(q).every((word) => starts.some((start) => start.startsWith(word)))
}

function unaccented(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}

function plain(text: string): string[] {
  return unaccented(text)
    .split(/\s+/)
    .map((word) => word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '')
}

export function findVariants(all: OracleVariant[], viewer: OracleViewer, body: OracleBody) {
  const keyOf = (variant: OracleVariant) =>
    ({
      created_on: stamp(variant.created_on),
      updated_on: stamp(variant.updated_on),
      wholesale_price: wholesaleOf(variant, viewer),
      retail_price: converted(variant.retail_price, viewer.rate),
      sku: variant.sku,
    })[body.order_by ?? 'created_on'] as number | string
  const jewelry = { ...body, type: ['jewelry'] }
  const found = all.filter((variant) => matchesVariant(variant, viewer, jewelry))
  return page(found, keyOf, { limit: 50, ...body })
}

export function findProducts(all: OracleVariant[], viewer: OracleViewer, body: OracleBody) {
  const ids = new Set(
    all
      .filter((variant) => matchesVariant(variant, viewer, { ...body, product_id: body.id }))
      .map((variant) => variant.product_id),
  )
  const byProduct = new Map<string, OracleVariant[]>()
  for (const each of all) {
    byProduct.set(each.product_id, [...(byProduct.get(each.product_id) ?? []), each])
  }
  const products = [...ids].map((id) => {
    const variants = byProduct.get(id) ?? []
    return { id, variants, first: variants[0] }
  })
  const keyOf = ({ variants, first }: (typeof products)[number]) => {
    const options = first.filter_variant_options
    const sub = Object.keys(options).find((key) => key.endsWith('_sub_type')) ?? ''
    return {
      created_on: stamp(first.product_created_on),
      updated_on: stamp(first.product_updated_on),
      title: unaccented(first.title),
      wholesale_price: Math.min(...variants.map((variant) => wholesaleOf(variant, viewer))),
      category: [first.type === 'watch' ? 'watch' : options.jewelry_type, options[sub] ?? ''].join(
        '\n',
      ),
    }[body.order_by ?? 'updated_on'] as number | string
  }
  return page(products, keyOf, { limit: 100, ...body })
}

function stamp(printed: string): string {
  const [day, time] = printed.replace('+00', '').split(' ')
  const [whole, fraction = ''] = time.split('.')
  return `${day} ${whole}.${fraction.padEnd(6, '0')}`
}

function page<Row extends { id: string }>(
  rows: Row[],
  keyOf: (row: Row) => number | string,
  { order = 'desc', limit, offset = 0 }: { order?: string; limit: number; offset?: number },
) {
  const sign = order === 'asc' ? 1 : -1
  const keyed = rows.map((row) => ({ id: row.id, key: keyOf(row) }))
  const sorted = keyed.toSorted((a, b) => {
    if (a.key !== b.key) return a.key < b.key ? -sign : sign
    return a.id < b.id ? -1 : 1
  })
  return { ids: sorted.slice(offset, offset + limit).map(({ id }) => id), total: rows.length }
}
