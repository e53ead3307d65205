import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../src/database/open.ts'
import type { SearchRequest } from '../../src/gems/search/plan.ts'
import type { Merchant } from '../../src/merchants/merchant.ts'
import { forkServer } from '../support/fork-server.ts'
import { type LoadResult, load } from '../support/load.ts'
import { printTable } from '../support/measure.ts'

const PATH = '/api/v2/diamonds/merchant_search'
const SERVER = new URL('./server.ts', import.meta.url)

/** Pages over HTTP: from Pavilion, as constant bytes of the same size, and from PostgreSQL. */
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
      const bodies = mix.map((body) => JSON.stringify(body))
      const run = (port: number, durationMs: number) =>
        requestPages(port, token, bodies, durationMs)
      await run(pavilion, WARM_UP_MS)
      const ours = await run(pavilion, DURATION_MS)
      const bytes = await meanBytes(pavilion, token, mix)
      const ceiling = await run(await start('ceiling', '', String(bytes)), DURATION_MS)
      const theirs = await run(postgres, DURATION_MS)
      rows.push([
        `pages of ${limit} (${Math.round(bytes / 1024)} KB)`,
        ours.requestsPerSecond.toFixed(0),
        ours.p99Ms.toFixed(1),
        ceiling.requestsPerSecond.toFixed(0),
        (ours.requestsPerSecond / ceiling.requestsPerSecond).toFixed(2),
        theirs.requestsPerSecond.toFixed(1),
        `${Math.round(ours.requestsPerSecond / theirs.requestsPerSecond)} x`,
      ])
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
const DURATION_MS = 4_000
const CONNECTIONS = 8

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
