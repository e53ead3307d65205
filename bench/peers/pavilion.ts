import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openDatabase } from '../../src/database/open.ts'
import { createMerchant } from '../../src/merchants/merchant-store.ts'
import { createToken } from '../../src/merchants/token-store.ts'
import { addParcels } from '../orders/market.ts'
import { forkServer } from '../support/fork-server.ts'
import {
  call,
  certificatesOf,
  type Market,
  PAGE,
  type Peer,
  SEARCHED,
  secondsUntil,
} from './peer.ts'
import { csvOf } from './products.ts'

const SEARCH = '/api/v2/diamonds/merchant_search'
const SERVER = new URL('../search/server.ts', import.meta.url)
const IMPORTER = fileURLToPath(new URL('../import/child.js', import.meta.url))

/** Pavilion as production runs it; an import is a process of its own, as `pavilion import` is. */
export async function startPavilionPeer(url: string, market: Market): Promise<Peer> {
  const database = openDatabase({ url })
  const { uuid } = await createMerchant(database.db, {
    email: 'bench@shop.example',
    legal_dba: 'Bench Shop',
    country_code: 'US',
  })
  const { token } = await createToken(database.db, {
    realm: 'live',
    type: 'api_key',
    merchant_uuid: uuid,
  })
  const headers = { authorization: `Bearer ${token}` }
  const server = await forkServer(SERVER, 'pavilion', url)
  const { port } = server
  const count = async () => {
    const { body } = await call<{ metadata: { total_count: number } }>({
      port,
      path: SEARCH,
      headers,
      body: { limit: 1, offset: 0 },
    })
    return body.metadata.total_count
  }
  const startMs = await importStones(url, market)
  const importSeconds = await secondsUntil(startMs, market.stones.length, count)
  const skus = await skusOf(database, market)
  return {
    version: await ownVersion(),
    port,
    importSeconds,
    searches: searchesOf(market, headers),
    async prepareOrder(sku) {
      const line_items = [{ sku: skus.get(sku), quantity: 1 }]
      const body = { order_type: 'invoice', line_items }
      return async () => {
        const placed = await call({ port, path: '/api/v2/orders/place', headers, body })
        return placed.status === 200
      }
    },
    async close() {
      server.process.kill()
      await database.close()
    },
  }
}

/** Imports the stones from a file, and returns when the import began. */
async function importStones(url: string, { stones }: Market): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'pavilion-bench-'))
  try {
    const file = join(folder, 'stones.csv')
    await writeFile(file, csvOf(stones))
    const { stdout } = await promisify(execFile)(process.execPath, [IMPORTER, url, file])
    const { seconds, added } = JSON.parse(stdout) as { seconds: number; added: number }
    if (added !== stones.length) throw new Error(`${added} of ${stones.length} were imported`)
    return performance.now() - seconds * 1000
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function skusOf(
  { db }: ReturnType<typeof openDatabase>,
  { parcels }: Market,
): Promise<Map<string, string>> {
  const own = await db.selectFrom('gem').select(['sku', 'vendor_sku']).execute()
  const skus = new Map(own.map(({ sku, vendor_sku }) => [vendor_sku, sku]))
  const added = await addParcels(db, parcels.length, 1_000_000)
  for (const [index, { sku }] of parcels.entries()) skus.set(sku, added[index])
  return skus
}

function searchesOf(market: Market, headers: Record<string, string>): Peer['searches'] {
  const page = { limit: PAGE, offset: 0, sort_col: 'retail_price', sort_order: 'asc' }
  const as = (requests: object[]) => ({
    method: 'POST' as const,
    path: SEARCH,
    headers,
    bodies: requests.map((request) => JSON.stringify({ ...page, ...request })),
  })
  const { shape, colors: color } = SEARCHED
  return {
    byShapeAndColor: as([{ filters: { shape: [shape], color } }]),
    byCertificate: as(certificatesOf(market).map((one) => ({ filters: { cert_num: [one] } }))),
    first: as([{}]),
  }
}

async function ownVersion(): Promise<string> {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
