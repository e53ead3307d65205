import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, install, untilUp } from './install.ts'
import {
  call,
  certificatesOf,
  type Market,
  PAGE,
  type Peer,
  SEARCHED,
  secondsUntil,
} from './peer.ts'

const VERSION = '2.21.2'
const MEDUSA = 'node_modules/@medusajs/cli/cli.js'
const PACKAGES = ['@medusajs/medusa', '@medusajs/framework', '@medusajs/cli']

interface Filled {
  startMs: number
  variants: Record<string, string>
  categories: Record<string, string>
  tags: Record<string, string>
  regionId: string
  optionId: string
  key: string
}

/** Medusa as `medusa start` runs it in production, with its modules in memory. */
export async function startMedusa(url: string, market: Market, kept?: string): Promise<Peer> {
  const packages = Object.fromEntries(PACKAGES.map((name) => [name, VERSION]))
  const installed = await install(packages, ['medusa-config.cjs', 'medusa-fill.cjs'], kept)
  const { folder } = installed
  try {
    await copyFile(join(folder, 'medusa-config.cjs'), join(folder, 'medusa-config.js'))
    await copyFile(join(folder, 'medusa-fill.cjs'), join(folder, 'medusa-fill.js'))
    const products = [...market.stones, ...market.parcels]
    await writeFile(join(folder, 'in.json'), JSON.stringify(products))
    const env = { DATABASE_URL: url, NODE_ENV: 'production' }
    await installed.run([MEDUSA, 'db:migrate'], env)
    const port = await freePort()
    const filled = await installed.run<Filled>([MEDUSA, 'exec', './medusa-fill.js'], env)
    const endMs = performance.now()
    await installed.start([MEDUSA, 'start', '--port', String(port)], env)
    await untilUp(port, '/health')
    const shop = { port, ...filled }
    await secondsUntil(performance.now(), products.length, () => countProducts(shop))
    return {
      version: VERSION,
      port,
      // Lists read the tables of the products: what is written is found.
      importSeconds: (endMs + performance.timeOrigin - filled.startMs) / 1000,
      searches: searchesOf(market, shop),
      prepareOrder: (sku) => prepareOrder(shop, filled.variants[sku]),
      close: () => installed.remove(),
    }
  } catch (error) {
    await installed.remove()
    throw error
  }
}

type Shop = Filled & { port: number }

const headersOf = ({ key }: Shop) => ({ 'x-publishable-api-key': key })
const FIELDS = 'id,title,handle,description,*variants,*variants.calculated_price'

async function countProducts(shop: Shop): Promise<number | undefined> {
  const path = '/store/products?limit=1&fields=id'
  const { body } = await call<{ count?: number }>({
    port: shop.port,
    path,
    headers: headersOf(shop),
  })
  return body.count
}

/** It cannot sort by price, which is in another module, so the pages are by title. */
function searchesOf(market: Market, shop: Shop): Peer['searches'] {
  const { regionId, categories, tags } = shop
  const as = (query: [string, string][]) => {
    const common = { limit: String(PAGE), region_id: regionId, fields: FIELDS, order: 'title' }
    const parameters = new URLSearchParams([...Object.entries(common), ...query])
    const path = `/store/products?${parameters}`
    return { method: 'GET' as const, path, headers: headersOf(shop), bodies: [] }
  }
  return {
    byShapeAndColor: as([
      ['category_id[]', categories[SEARCHED.shape]],
      ...SEARCHED.colors.map((color): [string, string] => ['tag_id[]', tags[color]]),
    ]),
    byCertificate: as([['q', certificatesOf(market)[0]]]),
    first: as([]),
  }
}

const ADDRESS = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  address_1: '12 Facet Street',
  city: 'New York',
  postal_code: '10036',
  country_code: 'us',
}

let buyers = 0

async function prepareOrder(shop: Shop, variant_id: string): Promise<() => Promise<boolean>> {
  const { cart } = await post<{ cart: { id: string } }>(shop, '/carts', {
    region_id: shop.regionId,
    email: `buyer-${++buyers}@shop.example`,
    items: [{ variant_id, quantity: 1 }],
    shipping_address: ADDRESS,
    billing_address: ADDRESS,
  })
  await post(shop, `/carts/${cart.id}/shipping-methods`, { option_id: shop.optionId })
  const { payment_collection } = await post<{ payment_collection: { id: string } }>(
    shop,
    '/payment-collections',
    { cart_id: cart.id },
  )
  const session = `/payment-collections/${payment_collection.id}/payment-sessions`
  await post(shop, session, { provider_id: 'pp_system_default' })
  return async () => {
    const path = `/store/carts/${cart.id}/complete`
    const { body } = await call<{ type?: string }>({ ...addressOf(shop, path), body: {} })
    return body.type === 'order'
  }
}

const addressOf = (shop: Shop, path: string) => ({
  port: shop.port,
  path,
  headers: headersOf(shop),
})

async function post<Body>(shop: Shop, path: string, sent: object): Promise<Body> {
  const { status, body } = await call<Body>({ ...addressOf(shop, `/store${path}`), body: sent })
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  return body
}
