import type { Insertable } from 'kysely'
import { readMarketTime } from '../../database/clock.ts'
import type { Tx } from '../../database/open.ts'
import type { SupplierTable } from '../../database/tables/gems.ts'
import type { Medium } from '../../database/tables/jewelry.ts'
import { markupFactor, wholesaleCents } from '../../gems/supplier.ts'
import {
  insertRows,
  type NewProduct,
  type NewVariant,
  variantSkuOf,
} from '../../jewelry/new-rows.ts'
import { announceProducts } from '../../jewelry/showroom/store.ts'
import { digitsFrom } from '../../lib/money.ts'
import { Refusal } from '../../lib/refusal.ts'
import { DAY_MS } from '../../lib/timestamps.ts'
import { DEMO_MEDIA_PATH } from '../../pictures/demo-names.ts'
import { type Chance, choices, startChance, uuidFromSeed } from '../chance.ts'
import { type DemoPiece, type DemoVariant, drawPieces } from './pieces.ts'

interface DemoJewelryOptions {
  seed: number
  /** The address in links to media, without a slash at its end. */
  publicUrl: string
  /** The trade catalogue is shared with the first of them, if there is one. */
  merchants: readonly { uuid: string }[]
  /** The time that the market is generated for. Default: now. */
  asOf?: Date
  /** Multiplies the 600 products, for benchmarks. Default: 1. */
  times?: number
}

interface DemoJewelry {
  products: number
  variants: number
  catalogues: number
}

/** Fills a market without jewelry; the same seed gives the same pieces on every machine. */
export async function fillDemoJewelry(tx: Tx, options: DemoJewelryOptions): Promise<DemoJewelry> {
  if (await tx.selectFrom('product').select('id').limit(1).executeTakeFirst()) {
    const detail = 'The market already has jewelry; a demo market needs an empty one.'
    throw new Refusal('market_not_empty', detail)
  }
  const seed = `pavilion demo jewelry ${options.seed}`
  const vendors = await createVendors(tx, seed)
  const catalogues = await createCatalogues(tx, seed, options.merchants)
  const asOf = options.asOf ?? new Date(await readMarketTime(tx))
  const drawn = drawRows(startChance(seed), seed, vendors, catalogues, { ...options, asOf })
  await insertRows(tx, 'product', drawn.products)
  await insertRows(tx, 'variant', drawn.variants)
  await insertRows(tx, 'catalogue_product', drawn.memberships)
  await announceProducts(
    tx,
    drawn.products.map(({ id }) => id),
  )
  return {
    products: drawn.products.length,
    variants: drawn.variants.length,
    catalogues: CATALOGUES.length,
  }
}

const terms = (
  name: string,
  country_code: string,
  [markup, markup_us]: [string, string],
  [delivery_days_min, delivery_days_max]: [number, number],
  [days_to_return, memo_days]: [number, number | null],
) => ({
  name,
  country_code,
  markup,
  markup_us,
  delivery_days_min,
  delivery_days_max,
  returnable: days_to_return > 0,
  days_to_return,
  memo: memo_days !== null,
  ...(memo_days !== null && { memo_days_to_return: memo_days }),
})

// biome-ignore format: a table reads best with one vendor per line
const VENDORS = [
  terms('Amberfold Atelier', 'ITA', ['12', '15'], [3, 6], [30, 14]),
  terms('Hearthline Goldsmiths', 'USA', ['14', '10'], [1, 3], [30, null]),
  terms('Brindlewick Jewelry', 'THA', ['9', '13.5'], [6, 12], [14, null]),
  terms('Coppervane Workshop', 'IND', ['8', '12'], [5, 10], [0, null]),
  terms('Mossgate Watchworks', 'CHE', ['18', '21'], [4, 8], [14, 7]),
]

/** The last one makes the watches. */
type Vendor = Insertable<SupplierTable> & { id: number } & (typeof VENDORS)[number]

async function createVendors(tx: Tx, seed: string): Promise<Vendor[]> {
  const vendors: Vendor[] = []
  for (const vendor of VENDORS) {
    const contact = `sales@${vendor.name.toLowerCase().replaceAll(' ', '-')}.example`
    const row = { ...vendor, contact, fresh_days: null, uuid: uuidFromSeed(seed, vendor.name) }
    const { id } = await tx
      .insertInto('supplier')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()
    vendors.push({ ...row, id })
  }
  return vendors
}

const CATALOGUES = [
  { name: 'General', published: true, public: true, share: 82 },
  { name: 'Bridal', published: true, public: true, share: 6 },
  { name: 'Trade preview', published: true, public: false, share: 6 },
  { name: 'Next season', published: false, public: true, share: 6 },
] as const
const SHARED = 'Trade preview'

type CatalogueName = (typeof CATALOGUES)[number]['name']
const CATALOGUE_SHARES = choices<CatalogueName>(CATALOGUES.map(({ name, share }) => [name, share]))

async function createCatalogues(
  tx: Tx,
  seed: string,
  [merchant]: DemoJewelryOptions['merchants'],
): Promise<Map<string, string>> {
  const uuids = new Map(CATALOGUES.map(({ name }) => [name, uuidFromSeed(seed, name)]))
  const rows = CATALOGUES.map(({ share: _, ...catalogue }) => ({
    ...catalogue,
    uuid: uuidFromSeed(seed, catalogue.name),
  }))
  await tx.insertInto('catalogue').values(rows).execute()
  const shared = uuids.get(SHARED)
  if (merchant && shared) {
    const share = { catalogue_uuid: shared, merchant_uuid: merchant.uuid }
    await tx.insertInto('catalogue_merchant').values(share).execute()
  }
  return new Map(uuids)
}

function drawRows(
  chance: Chance,
  seed: string,
  vendors: readonly Vendor[],
  catalogues: Map<string, string>,
  { publicUrl, asOf, times = 1 }: DemoJewelryOptions & { asOf: Date },
) {
  const products: NewProduct[] = []
  const variants: NewVariant[] = []
  const memberships: { catalogue_uuid: string; product_id: string }[] = []
  for (const piece of drawPieces(chance, times)) {
    const number = products.length + 1
    const vendor =
      piece.type === 'watch' ? vendors[vendors.length - 1] : chance.oneOf(vendors.slice(0, -1))
    const product = drawProduct(chance, seed, piece, vendor, number, asOf)
    products.push(product)
    const catalogue = isBridal(piece) && chance.hits(0.5) ? 'Bridal' : chance.pick(CATALOGUE_SHARES)
    memberships.push({ catalogue_uuid: catalogues.get(catalogue) ?? '', product_id: product.id })
    const isSoldOut = chance.hits(0.05)
    const media = chance.hits(0.85) ? mediaOf(publicUrl, piece, chance.hits(0.3)) : []
    for (const [position, variant] of piece.variants.entries()) {
      const stock = isSoldOut || chance.hits(0.1) ? 0 : chance.whole(1, 8)
      variants.push({
        ...drawVariant(chance, seed, product, vendor, variant, position),
        quantity: stock,
        feed_quantity: stock,
        media,
      })
    }
  }
  return { products, variants, memberships }
}

function isBridal({ variants }: DemoPiece): boolean {
  const subType = variants[0].filter_variant_options.ring_sub_type
  return subType === 'engagement' || subType === 'wedding band'
}

function drawProduct(
  chance: Chance,
  seed: string,
  piece: DemoPiece,
  vendor: Vendor,
  number: number,
  asOf: Date,
): NewProduct {
  const ageMs = Math.min(chance.decaying(90), 700) * DAY_MS
  const createdMs = asOf.getTime() - ageMs
  const updatedMs = createdMs + chance.next() * ageMs
  return {
    id: uuidFromSeed(seed, `product ${number}`),
    supplier_id: vendor.id,
    vendor_sku: `${vendor.name.slice(0, 2).toUpperCase()}-${String(1000 + number)}`,
    type: piece.type,
    title: piece.title,
    description: piece.description,
    created_on: new Date(createdMs).toISOString(),
    updated_on: new Date(updatedMs).toISOString(),
  }
}

function drawVariant(
  chance: Chance,
  seed: string,
  product: NewProduct,
  vendor: Vendor,
  { variant_options, filter_variant_options, cost_cents }: DemoVariant,
  position: number,
): NewVariant {
  const vendorSku = `${product.vendor_sku}-${position + 1}`
  const wholesale = wholesaleCents(cost_cents, markupFactor(vendor.markup))
  const retailDollars = Math.ceil((wholesale * chance.between(1.9, 2.4)) / 500) * 5
  return {
    id: uuidFromSeed(seed, `variant ${vendorSku}`),
    product_id: product.id,
    supplier_id: vendor.id,
    sku: variantSkuOf(vendor.uuid, vendorSku),
    vendor_sku: vendorSku,
    position,
    variant_options,
    filter_variant_options,
    cost: digitsFrom(cost_cents),
    wholesale_price: digitsFrom(wholesale),
    wholesale_price_us: digitsFrom(wholesaleCents(cost_cents, markupFactor(vendor.markup_us))),
    retail_price: retailDollars,
    feed_quantity: null,
    listed: true,
    returnable: vendor.returnable,
    days_to_return: vendor.days_to_return,
    memo: vendor.memo,
    memo_days_to_return: 'memo_days_to_return' in vendor ? vendor.memo_days_to_return : null,
    delivery_days_min: vendor.delivery_days_min,
    delivery_days_max: vendor.delivery_days_max,
    country_code: vendor.country_code,
    details: {},
    media: [],
    created_on: product.created_on,
    updated_on: product.updated_on,
  }
}

/** The pictures are drawn by Pavilion itself, like those of the demo's stones. */
function mediaOf(publicUrl: string, { picture }: DemoPiece, hasFilm: boolean): Medium[] {
  const base = `${publicUrl}${DEMO_MEDIA_PATH}/jewelry`
  const image: Medium = { kind: 'image', url: `${base}/${picture}.svg` }
  return hasFilm ? [image, { kind: 'video', url: `${base}/turn/${picture}.svg` }] : [image]
}
