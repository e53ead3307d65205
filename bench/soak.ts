/**
 * Everything at once for a while: searches, orders, holds, imports, snapshots, long polls,
 * webhooks, the console, margin changes, wrong requests and callers that hang up, against
 * `pavilion start`. Prints the slope of the server's memory, the answers by status, every 5xx, and
 * how long each kind of call takes at the end compared with the beginning. Then checks that nothing
 * was sold twice and that the server has come to rest. Exits with 1 after a 5xx that is not a
 * deliberate 503, a call without an answer, or a failed check.
 *
 *     npx tsx bench/soak.ts [--minutes 10] [--stones 20500] [--workers 1] [--json]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '../src/database/open.ts'
import { startActors } from './soak/actors.ts'
import { checkAtRest } from './soak/after.ts'
import { createCaller } from './soak/caller.ts'
import { fillMarket, type SoakMarket } from './soak/market.ts'
import { watchMemory } from './soak/memory.ts'
import { openReceiver, type Receiver } from './soak/receiver.ts'
import { startRecording } from './soak/record.ts'
import { findFailures, printResult, type SoakResult } from './soak/report.ts'
import { countWarnings, type SoakServer, startServer } from './soak/server.ts'
import { checkStock } from './soak/stock.ts'
import { withBenchDatabase } from './support/database.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    stones: { type: 'string', default: '20500' },
    workers: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
})
const minutes = Number(values.minutes)
if (!(minutes > 0)) throw new Error('--minutes must be a number above 0')

/** Code is compiled, caches and pools are filled. */
const WARM_UP_SHARE = 0.15

await withBenchDatabase(async (databaseUrl) => {
  const folder = await mkdtemp(join(tmpdir(), 'pavilion-soak-'))
  const logFile = join(folder, 'server.log')
  const database = openDatabase({ url: databaseUrl, statementTimeoutMs: 0, poolMax: 2 })
  const receiver = await openReceiver()
  let hasSucceeded = false
  try {
    const market = await fillMarket(database, Number(values.stones))
    const server = await startServer({
      databaseUrl,
      logFile,
      workers: Number(values.workers),
      webhookHost: receiver.host,
    })
    const measured = await soakAndStop({ server, database, market, receiver })
    hasSucceeded = report({ ...measured, warnings: await countWarnings(logFile) })
  } finally {
    await receiver.close()
    await database.close()
    if (hasSucceeded) await rm(folder, { recursive: true, force: true })
    else console.error(`The log of the server is ${logFile}`)
  }
})

interface Soak {
  server: SoakServer
  database: Database
  market: SoakMarket
  receiver: Receiver
}

type Measured = Omit<SoakResult, 'failures' | 'warnings'>

async function soakAndStop(options: Soak): Promise<Measured> {
  const { server } = options
  try {
    return await Promise.race([soak(options), server.died])
  } finally {
    await server.stop()
  }
}

async function soak({ server, database, market, receiver }: Soak): Promise<Measured> {
  const recording = startRecording()
  const send = createCaller(server.address, recording)
  const memory = watchMemory(server.pid)
  const startedAtMs = performance.now()
  const endMs = startedAtMs + minutes * 60_000
  const warmMs = startedAtMs + minutes * 60_000 * WARM_UP_SHARE
  const { orders, ended } = await startActors(send, market, receiver.url, endMs)
  await ended
  memory.stop()
  const summary = recording.summary(warmMs, endMs)
  const atRest = await checkAtRest(server.address, database, send, market.merchants[0].keys[0])
  const stock = await checkStock(database, market, orders)
  return {
    minutes,
    ...summary,
    memory: memory.slope(warmMs),
    webhooks: receiver.figures(),
    checks: [...atRest, ...stock],
  }
}

/** Returns whether nothing failed. */
function report(result: Omit<SoakResult, 'failures'>): boolean {
  const failures = findFailures(result)
  if (values.json) console.log(JSON.stringify({ ...result, failures }, null, 2))
  else printResult({ ...result, failures })
  if (failures.length > 0) process.exitCode = 1
  return failures.length === 0
}
