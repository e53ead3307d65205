import { type Database, openDatabase } from '../../src/database/open.ts'
import { logChanges } from '../../src/events/change-log.ts'
import { type GemIndex, startGemIndex } from '../../src/gems/indexing/follower.ts'
import { find } from '../../src/index/index.ts'
import { timingOf } from '../support/measure.ts'

/** How long it takes until a change is found on the node that made it, and on another node. */
export async function benchNodes(database: Database): Promise<void> {
  const other = openDatabase({ url: database.url })
  const nodes = [await start(database), await start(other)]
  const { rows } = await database.pool.query(
    `select id, sku from gem where product_type = 'diamond' and state = 'available' limit 30`,
  )
  const here: number[] = []
  const there: number[] = []
  for (const [i, { id, sku }] of rows.entries()) {
    const cents = 123_456 + i
    await database.db.transaction().execute(async (tx) => {
      await tx
        .updateTable('gem')
        // In both price lists: lists that are far apart would distort the later measurements.
        .set({ wholesale_price: String(cents / 100), wholesale_price_us: String(cents / 100) })
        .where('id', '=', id)
        .execute()
      await logChanges(tx, [{ gem_id: id, sku, kind: 'price' }])
    })
    const committed = performance.now()
    await Promise.all([
      nodes[0].catchUp().then(() => here.push(performance.now() - committed)),
      seen(nodes[1], id, cents).then(() => there.push(performance.now() - committed)),
    ])
  }
  const [own, second] = [timingOf(here), timingOf(there)]
  console.log(
    `a change is found on its own node after ${own.p50.toFixed(1)} (p99 ${own.p99.toFixed(1)}), ` +
      `on a second node after ${second.p50.toFixed(1)} (p99 ${second.p99.toFixed(1)})`,
  )
  for (const node of nodes) await node.stop()
  await other.close()
}

async function start(database: Database): Promise<GemIndex> {
  const index = startGemIndex({ database, name: 'diamond', now: Date.now })
  while (index.sequence() === undefined) await pause(20)
  await index.catchUp()
  return index
}

async function seen(index: GemIndex, id: number, cents: number): Promise<void> {
  for (;;) {
    const found = find(index.store(), id)
    const price = found?.view.numbers.wholesale_price
    if (found && price && price.values[found.row] + price.base === cents) return
    await pause(1)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
