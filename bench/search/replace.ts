import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../src/database/open.ts'
import { logChangesFrom } from '../../src/events/change-log.ts'
import type { SearchRequest } from '../../src/gems/search/plan.ts'
import { forkServer } from '../support/fork-server.ts'
import { type Timing, timingOf } from '../support/measure.ts'
import { variationsOf } from './queries.ts'

const PATH = '/api/v2/diamonds/merchant_search'
const SERVER = new URL('./server.ts', import.meta.url)
/** A steady rate: this measures the latency of one search, not the throughput. */
const PACE_MS = 20
const QUIET_MS = 20_000

/** The stones of a large supplier; a smaller market is replaced as a whole. */
const REPLACED_MAX = 1_000_000

/** How long searches take while stones are replaced and the index follows. */
export async function benchReplace(
  database: Database,
  token: string,
  queries: Record<string, SearchRequest>,
): Promise<void> {
  const { process: server, port } = await forkServer(SERVER, 'pavilion', database.url)
  const searches = variationsOf(Object.values(queries).slice(0, 6))
  const bodies = searches.map((query) => JSON.stringify(query))
  const caller = startCaller(port, token, bodies)
  try {
    // Warms up: the stones of these pages are rendered and the code is compiled.
    await pause(QUIET_MS)
    const quiet = await caller.timingOver(() => pause(QUIET_MS))
    const written = await caller.timingOver(() => replaceStones(database))
    const built = await caller.timingOver(() => caughtUp(database, port))
    const after = await caller.timingOver(() => pause(QUIET_MS))
    console.log(
      `a search over HTTP, p50 and p99: quiet ${line(quiet)}, while PostgreSQL writes ` +
        `${line(written)}, while the index is built ${line(built)}, after it ${line(after)}; ` +
        `building / quiet ${(built.p99 / quiet.p99).toFixed(1)} x`,
    )
  } finally {
    caller.stop()
    server.kill()
  }
}

function line({ p50, p99 }: Timing): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)}`
}

/** Adds a cent to the prices in one transaction, like an import that replaces a feed. */
async function replaceStones({ db }: Database): Promise<void> {
  const replaced = sql`product_type = 'diamond' and id <= (
    select max(id) from (
      select id from gem where product_type = 'diamond' order by id limit ${REPLACED_MAX}
    ) as first)`
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`
      update gem set wholesale_price = wholesale_price + 0.01,
        wholesale_price_us = wholesale_price_us + 0.01
      where ${replaced}`.execute(tx)
    await logChangesFrom(
      tx,
      sql`select id as gem_id, sku, 'price' as kind from gem where ${replaced}`,
    )
  })
}

async function caughtUp({ db }: Database, port: number): Promise<void> {
  const { last } = await db.selectFrom('change_clock').select('last').executeTakeFirstOrThrow()
  for (;;) {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const found = /^pavilion_index_sequence (\d+)/m.exec(metrics)
    if (found && Number(found[1]) >= Number(last)) return
    await pause(500)
  }
}

/** Sends one search after the other at a steady pace and records how long each takes. */
function startCaller(port: number, token: string, bodies: readonly string[]) {
  const agent = new Agent({ keepAlive: true })
  let times: number[] = []
  let sent = 0
  let stopped = false
  const send = () => {
    const body = bodies[sent++ % bodies.length]
    const started = performance.now()
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const call = request({ port, agent, path: PATH, method: 'POST', headers }, (response) => {
      if (response.statusCode !== 200) throw new Error(`a search returned ${response.statusCode}`)
      response.resume().once('end', () => times.push(performance.now() - started))
    })
    call.on('error', (error) => {
      if (!stopped) throw error
    })
    call.end(body)
  }
  const timer = setInterval(send, PACE_MS)
  return {
    async timingOver(work: () => Promise<void>): Promise<Timing> {
      times = []
      await work()
      return timingOf(times)
    },
    stop() {
      stopped = true
      clearInterval(timer)
      agent.destroy()
    },
  }
}
