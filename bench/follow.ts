/**
 * Whether an index follows suppliers that reprice everything: 15,000 changes a second, merged from
 * memory, while it is searched. The stones are read from PostgreSQL one by one, as in production;
 * the log is a stub that names the stones in a fixed order, because writing so many rows a second
 * would need the whole machine. It runs what the build compiled, threads too.
 *
 *     npx tsx bench/follow.ts [stones ...]   200,000 and 1,000,000 unless given
 */
import { cpus } from 'node:os'
import { openDatabase } from '../src/database/open.ts'
import { createDemoMarket } from '../src/demo/market.ts'
import { benchFollowing } from './follow/run.ts'
import { withBenchDatabase } from './support/database.ts'

const sizes = process.argv.slice(2).map(Number)
console.log(`${cpus().length} cores, Node ${process.version}, times in milliseconds`)
for (const stones of sizes.length > 0 ? sizes : [200_000, 1_000_000]) {
  await withBenchDatabase(async (url) => {
    const database = openDatabase({ url, statementTimeoutMs: 0 })
    const options = { realm: 'live' as const, stones, seed: 1, publicUrl: 'http://bench.example' }
    await createDemoMarket(database, options)
    await database.pool.query('vacuum analyze gem')
    await database.close()
    await benchFollowing(url)
  })
}
