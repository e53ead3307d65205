import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../src/database/open.ts'
import type { SearchRequest } from '../../src/gems/search/plan.ts'
import type { Merchant } from '../../src/merchants/merchant.ts'
import { forkServer } from '../support/fork-server.ts'
import { type LoadResult, load } from '../support/load.ts'
import { printTable } from '../support/measure.ts'
import { variationsOf } from './queries.ts'

const PATH = '/api/v2/diamonds/merchant_search'
const SERVER = new URL('./server.ts', import.meta.url)

/**
 * Pages over HTTP: from Pavilion, as constant bytes of the same size, and from PostgreSQL. Pavilion
 * runs as in production: token, rate limit, validation, log line. The same six searches are asked
 * again and again, as shops do, or each is another one.
 */
export async function benchHttp(
  database: Database,
  merchant: Merchant,
  token: string,
  queries: Record<string, SearchRequest>,
): Promise<void> {
  const servers: ChildProcess[] = []
  const start = async (...args: string[]) => {
    const server = await forkServer(SERVER, ...args)
    servers.push(server.process)
    return server.port
  }
  try {
    const pavilion = await start('pavilion', database.url)
    const postgres = await start('postgres', database.url, merchant.uuid)
    await waitUntilRendered(pavilion)
    const rows: string[][] = []
    for (const limit of [10, 50]) {
      const mix = Object.values(queries)
        .slice(0, 6)
        .map((query) => ({ ...query, limit }))
      const bytes = await meanBytes(pavilion, token, mix)
      const ports = { pavilion, postgres, ceiling: await start('ceiling', '', String(bytes)) }
      const name = `pages of ${limit} (${Math.round(bytes / 1024)} KB)`
      rows.push(await measureRow(name, ports, token, mix))
      rows.push(await measureRow(`${name}, each another`, ports, token, variationsOf(mix)))
    }
    printTable(
      ['HTTP, Q1 to Q6', 'per second', 'p99', 'ceiling', 'share', 'from PostgreSQL', 'ratio'],
      rows,
    )
  } finally {
    for (const server of servers) server.kill()
  }
}

/** Long enough to render the stones of the pages and to compile the code that is measured. */
const WARM_UP_MS = 10_000
const ROUND_MS = 2_000
const ROUNDS = 3
const CONNECTIONS = 8

type Ports = Record<'pavilion' | 'ceiling' | 'postgres', number>

/** Rounds alternate, so that a busy moment of the machine affects every side. */
async function measureRow(
  name: string,
  ports: Ports,
  token: string,
  searches: SearchRequest[],
): Promise<string[]> {
  const bodies = searches.map((body) => JSON.stringify(body))
  const run = (port: number, ms: number) => requestPages(port, token, bodies, ms)
  await run(ports.pavilion, WARM_UP_MS)
  await run(ports.ceiling, ROUND_MS)
  const ours: LoadResult[] = []
  const ceilings: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await run(ports.pavilion, ROUND_MS))
    ceilings.push((await run(ports.ceiling, ROUND_MS)).requestsPerSecond)
  }
  const theirs = (await run(ports.postgres, ROUND_MS)).requestsPerSecond
  const rate = median(ours.map(({ requestsPerSecond }) => requestsPerSecond))
  const shares = ours.map(({ requestsPerSecond }, round) => requestsPerSecond / ceilings[round])
  return [
    name,
    rate.toFixed(0),
    median(ours.map(({ p99Ms }) => p99Ms)).toFixed(1),
    median(ceilings).toFixed(0),
    median(shares).toFixed(2),
    theirs.toFixed(1),
    `${Math.round(rate / theirs)} x`,
  ]
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

/** Waits until the background rendering of stones is finished. */
async function waitUntilRendered(port: number): Promise<void> {
  for (let [last, now] = [-1, 0]; last < now; ) {
    await pause(2_000)
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    ;[last, now] = [now, Number(/^pavilion_index_rendered_stones (\d+)/m.exec(metrics)?.[1])]
  }
}

function requestPages(
  port: number,
  token: string,
  bodies: string[],
  durationMs: number,
): Promise<LoadResult> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const common = { method: 'POST', path: PATH, connections: CONNECTIONS } as const
  return load({ port, headers, bodies, durationMs, ...common })
}

async function meanBytes(port: number, token: string, mix: SearchRequest[]): Promise<number> {
  let total = 0
  for (const body of mix) {
    const response = await fetch(`http://127.0.0.1:${port}${PATH}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'accept-encoding': 'identity',
      },
      body: JSON.stringify(body),
    })
    total += (await response.arrayBuffer()).byteLength
  }
  return Math.round(total / mix.length)
}
