/**
 * What the expensive calls cost, and how long they keep the event loop from other callers. The
 * costs in `src/http/request/call-costs.ts` follow the ratio to a plain search, and no call may
 * hold the loop for more than 50 ms.
 *
 *     npx tsx bench/event-loop.ts [stones]   300,000 unless given
 */
import { openDatabase } from '../src/database/open.ts'
import { createDemoMarket } from '../src/demo/market.ts'
import { NO_OVERLOAD_LIMITS } from '../src/http/overload/limits.ts'
import { callsOn } from './event-loop/calls.ts'
import { withBenchDatabase } from './support/database.ts'
import { printTable } from './support/measure.ts'
import { startPavilion } from './support/pavilion.ts'

const ROUNDS = 5
const PLAIN = 'search, a page of 50'

const stones = Number(process.argv[2] ?? 300_000)
await withBenchDatabase(async (url) => {
  const database = openDatabase({ url, statementTimeoutMs: 0 })
  const options = { realm: 'live' as const, stones, seed: 1, publicUrl: 'http://bench.example' }
  const keys = await createDemoMarket(database, options)
  if (!keys) throw new Error('the database is not empty')
  const app = await startPavilion(url, { overload: NO_OVERLOAD_LIMITS })
  while (app.services.diamonds.index.sequence() === undefined) await turn()
  const calls = await callsOn(app, database, keys.merchantKey)
  await database.close()
  const measured = []
  for (const [name, call] of Object.entries(calls)) {
    measured.push({ name, ...(await measureCall(call)) })
    console.error(JSON.stringify(measured.at(-1)))
  }
  const plain = measured.find(({ name }) => name === PLAIN)?.cpuMs ?? 1
  printTable(
    ['call', 'status', 'ms', 'processor ms', 'to a plain search', 'longest wait, ms'],
    measured.map(({ name, status, ms, cpuMs, waitMs }) => [
      name,
      String(status),
      ms.toFixed(1),
      cpuMs.toFixed(1),
      `${(cpuMs / plain).toFixed(1)} x`,
      waitMs.toFixed(1),
    ]),
  )
  await app.close()
  await app.services.database.close()
})

/** The medians of several rounds; the wait is the longest time between two turns of the loop. */
async function measureCall(call: () => Promise<number>) {
  let status = 0
  const rounds: { ms: number; cpuMs: number; waitMs: number }[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const isDone = { value: false }
    const watching = longestWait(isDone)
    const startedAt = performance.now()
    const cpu = process.cpuUsage()
    status = await call()
    const { user, system } = process.cpuUsage(cpu)
    const ms = performance.now() - startedAt
    isDone.value = true
    if (round >= 0) rounds.push({ ms, cpuMs: (user + system) / 1000, waitMs: await watching })
    else await watching
  }
  const median = (key: 'ms' | 'cpuMs' | 'waitMs') =>
    rounds.map((round) => round[key]).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]
  return { status, ms: median('ms'), cpuMs: median('cpuMs'), waitMs: median('waitMs') }
}

async function longestWait(isDone: { value: boolean }): Promise<number> {
  let longest = 0
  let before = performance.now()
  while (!isDone.value) {
    await turn()
    const now = performance.now()
    longest = Math.max(longest, now - before)
    before = now
  }
  return longest
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
