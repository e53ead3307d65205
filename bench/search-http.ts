import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Database } from '../src/database/open.ts'
import type { SearchRequest } from '../src/gems/search-request.ts'
import type { Merchant } from '../src/merchants/merchant.ts'
import { loadServer, requestBytes } from './search-client.ts'
import { printTable } from './search-measure.ts'

const PATH = '/api/v2/diamonds/merchant_search'
const SERVER = fileURLToPath(new URL('./search-server.ts', import.meta.url))

/** Pages over HTTP: Pavilion, constant bytes of the same size, and PostgreSQL. */
export async function benchHttp(
  database: Database,
  merchant: Merchant,
  token: string,
  queries: Record<string, SearchRequest>,
): Promise<void> {
  const servers: ChildProcess[] = []
  const start = async (...args: string[]) => {
    const server = await startServer(...args)
    servers.push(server.process)
    return server.port
  }
  try {
    const pavilion = await start('pavilion', database.url)
    const postgres = await start('postgres', database.url, merchant.uuid)
    const rows: string[][] = []
    for (const limit of [10, 50]) {
      const mix = Object.values(queries)
        .slice(0, 6)
        .map((query) => ({ ...query, limit }))
      const requests = mix.map((body) => requestBytes(PATH, token, body))
      // Renders the stones of these pages, so that the cache is warm.
      await loadServer(pavilion, requests, { seconds: 2 })
      const here = await loadServer(pavilion, requests)
      const bytes = await meanBytes(pavilion, token, mix)
      const ceiling = await loadServer(await start('ceiling', '', String(bytes)), requests)
      const there = await loadServer(postgres, requests)
      rows.push([
        `pages of ${limit} (${Math.round(bytes / 1024)} KB)`,
        here.perSecond.toFixed(0),
        here.p99.toFixed(1),
        ceiling.perSecond.toFixed(0),
        (here.perSecond / ceiling.perSecond).toFixed(2),
        there.perSecond.toFixed(1),
        `${Math.round(here.perSecond / there.perSecond)} x`,
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

async function meanBytes(port: number, token: string, mix: SearchRequest[]): Promise<number> {
  let total = 0
  for (const body of mix) {
    const answer = await fetch(`http://127.0.0.1:${port}${PATH}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'accept-encoding': 'identity',
      },
      body: JSON.stringify(body),
    })
    total += (await answer.arrayBuffer()).byteLength
  }
  return Math.round(total / mix.length)
}

function startServer(...args: string[]): Promise<{ process: ChildProcess; port: number }> {
  const child = fork(SERVER, args, { execArgv: ['--import', 'tsx'] })
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve({ process: child, port: Number(port) }))
    child.once('exit', (code) => reject(new Error(`the ${args[0]} server ended with ${code}`)))
  })
}
