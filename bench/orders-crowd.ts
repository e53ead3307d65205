import { sql } from 'kysely'
import { addParcels, addSingles, openBenchMarket, percentile, place } from './orders/market.ts'
import { withBenchDatabase } from './support/database.ts'

/**
 * test/orders/race.test.ts with large numbers: 200 simultaneous buyers for one stone, round after
 * round, and 64 clients ordering from 20 parcels. Fails if anything is sold twice.
 *
 *     npx tsx bench/orders-crowd.ts [rounds] [orders]
 */
const ROUNDS = Number(process.argv[2] ?? 50)
const ORDERS = Number(process.argv[3] ?? 20_000)
const BUYERS = 200
const CLIENTS = 64
const PARCELS = 20

await withBenchDatabase(async (url) => {
  const market = await openBenchMarket(url)
  const { db } = market.database
  const times: number[] = []
  for (const sku of await addSingles(db, ROUNDS)) {
    const startMs = performance.now()
    const responses = await Promise.all(
      Array.from({ length: BUYERS }, () => place(market, [{ sku, quantity: 1 }])),
    )
    times.push(performance.now() - startMs)
    const placed = responses.filter(({ statusCode }) => statusCode === 200).length
    const refused = responses.filter(({ statusCode }) => statusCode === 409).length
    if (placed !== 1 || refused !== BUYERS - 1)
      throw new Error(`${placed} placed, ${refused} refused`)
  }
  console.log(
    `${BUYERS} buyers for one stone, ${ROUNDS} rounds: one order each; all responses after ` +
      `p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms`,
  )

  const start = Math.ceil((ORDERS * 1.8) / PARCELS)
  const parcels = await addParcels(db, PARCELS, start)
  const startMs = performance.now()
  let next = 0
  let placed = 0
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < ORDERS) {
        const number = next++
        const sku = parcels[(number * 7) % PARCELS]
        const { statusCode, body } = await place(market, [{ sku, quantity: 1 + (number % 3) }])
        if (statusCode === 200) placed++
        else if (statusCode !== 409) throw new Error(body)
      }
    }),
  )
  const seconds = (performance.now() - startMs) / 1000
  const { rows } = await sql<{ wrong: number }>`
    select count(*) as wrong from gem where sku = any(${parcels}::text[]) and quantity + (
      select sum(line.quantity) from order_line as line where line.sku = gem.sku) <> ${start}
  `.execute(db)
  if (rows[0].wrong > 0) throw new Error(`the stock of ${rows[0].wrong} parcels does not add up`)
  console.log(
    `${CLIENTS} clients on ${PARCELS} parcels: ${placed} orders placed and ${ORDERS - placed} ` +
      `refused in ${seconds.toFixed(1)} s; sold + stock = start`,
  )
  await market.app.close()
  await market.database.close()
})
