import { setTimeout as sleep } from 'node:timers/promises'
import { ON_SALE } from '../../src/gems/gem-life.ts'
import { query } from '../support/postgres.ts'
import { post } from './calls.ts'
import type { Lab } from './lab.ts'
import type { Acknowledged, Load } from './load.ts'
import { PARCEL_QUANTITY } from './market.ts'

/** How long a node may take to agree with the table, on a busy machine. */
const AGREE_MS = 60_000

/**
 * Compares what clients were told with the table, and the table with the index of every node, while
 * nobody orders. Returns what is wrong, in words.
 */
export async function findFaults(lab: Lab, load: Load): Promise<string[]> {
  const faults = [...(await findOrderFaults(lab, load.orders)), ...load.faults]
  const untilMs = performance.now() + AGREE_MS
  for (;;) {
    const differences = await findIndexDifferences(lab)
    if (differences.length === 0) return faults
    if (performance.now() > untilMs) return [...faults, ...differences]
    await sleep(500)
  }
}

async function findOrderFaults(lab: Lab, orders: readonly Acknowledged[]): Promise<string[]> {
  const lines = await query<{ uuid: string; sku: string; quantity: number; state: string }>(
    lab.url,
    `select order_uuid as uuid, line.sku, line.quantity, gem.state
     from order_line as line join gem using (sku)`,
  )
  const inTable = new Map(lines.map((line) => [line.uuid, line]))
  const told = new Map(orders.map((order) => [order.uuid, order]))
  const stones = lines.filter(({ sku }) => sku.startsWith('S'))
  const faults: string[] = []
  const check = (count: number, what: string) => {
    if (count > 0) faults.push(`${count} ${what}`)
  }
  const isLost = ({ uuid, sku, quantity }: Acknowledged) =>
    inTable.get(uuid)?.sku !== sku || inTable.get(uuid)?.quantity !== quantity
  check(orders.filter(isLost).length, 'acknowledged orders are lost')
  check(orders.length - told.size, 'orders were acknowledged for two requests')
  check(lines.filter(({ uuid }) => !told.has(uuid)).length, 'orders were placed that nobody made')
  check(stones.length - new Set(stones.map(({ sku }) => sku)).size, 'stones were sold twice')
  check(stones.filter(({ state }) => state !== 'sold').length, 'ordered stones are not sold')
  const parcels = await query<{ sku: string }>(
    lab.url,
    `select sku from gem where product_type = 'melee' and quantity + coalesce((
       select sum(line.quantity) from order_line as line where line.sku = gem.sku), 0) <> $1`,
    [PARCEL_QUANTITY],
  )
  check(parcels.length, 'parcels have another stock than was not sold')
  return faults
}

async function findIndexDifferences(lab: Lab): Promise<string[]> {
  const rows = await query<{ sku: string; price: string }>(
    lab.url,
    `select sku, wholesale_price_us as price from gem
     where product_type = 'diamond' and ${ON_SALE}`,
  )
  const table = new Map(rows.map(({ sku, price }) => [sku, Number(price)]))
  const differences: string[] = []
  for (const { address } of lab.nodes) {
    const index = await readIndex(lab, address).catch(() => undefined)
    if (index === undefined) {
      differences.push(`the node at ${address} does not answer searches of all stones`)
      continue
    }
    const missing = [...table].filter(([sku, price]) => index.get(sku) !== price)
    const added = [...index.keys()].filter((sku) => !table.has(sku))
    if (missing.length + added.length === 0) continue
    const examples = [...missing.map(([sku]) => sku), ...added].slice(0, 3)
    differences.push(
      `the node at ${address} misses ${missing.length} stones of the table and finds ` +
        `${added.length} that are not in it, such as ${examples.join(', ')}`,
    )
  }
  return differences
}

const PAGE = 1_000

/** All stones that a search finds, with their prices. */
async function readIndex(lab: Lab, address: string): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (let offset = 0; ; offset += PAGE) {
    const body = { limit: PAGE, offset }
    const path = '/api/v2/diamonds/merchant_search'
    const answer = await post(lab, { address, path, body })
    const gems = answer.body.gems as { sku: string; wholesale_price: number }[]
    for (const { sku, wholesale_price } of gems) found.set(sku, Number(wholesale_price))
    if (gems.length < PAGE) return found
  }
}
