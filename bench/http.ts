import { openDatabase } from '../src/database/open.ts'
import { createToken } from '../src/merchants/token-store.ts'
import { withBenchDatabase } from './support/database.ts'
import { type ForkedServer, forkServer } from './support/fork-server.ts'
import { load } from './support/load.ts'

/**
 * Requests per second of a constant response, authenticated by a token, compared with a bare
 * Fastify route that sends the same bytes, one that sends the same body without our headers, and a
 * bare Node server. The differences are the cost of access control, rate limits and request ids,
 * and of the headers. Rounds alternate, so that a busy moment of the machine affects every side.
 *
 *     npx tsx bench/http.ts
 */
const ROUNDS = 7
const ROUND_MS = 1_500
const CONNECTIONS = 16
const PATH = '/api/v3/defaults/gem_attributes'
const SIDES = {
  pavilion: 'pavilion',
  bytes: 'bare Fastify, same bytes',
  fastify: 'bare Fastify, same body',
  node: 'bare Node, same body',
}
type Side = keyof typeof SIDES
const WRITTEN_BY_NODE = ['connection', 'keep-alive', 'date', 'content-length']

await withBenchDatabase(async (url) => {
  const database = openDatabase({ url, poolMax: 1 })
  const { token } = await createToken(database.db, { realm: 'live', type: 'admin' })
  await database.close()
  const start = (side: Side, argument: string) =>
    forkServer(new URL('./http/server.ts', import.meta.url), side, PATH, argument)
  const pavilion = await start('pavilion', url)
  const servers: Record<Side, ForkedServer> = {
    pavilion,
    bytes: await start('bytes', JSON.stringify(await headersOf(pavilion, token))),
    fastify: await start('fastify', '{}'),
    node: await start('node', '{}'),
  }
  try {
    printRates(await measureRates(servers, token))
  } finally {
    for (const server of Object.values(servers)) server.process.kill()
  }
})

/** The headers of Pavilion's response, except those that Node writes by itself. */
async function headersOf({ port }: ForkedServer, token: string): Promise<Record<string, string>> {
  const { headers } = await fetch(`http://127.0.0.1:${port}${PATH}`, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
  })
  return Object.fromEntries([...headers].filter(([name]) => !WRITTEN_BY_NODE.includes(name)))
}

async function measureRates(
  servers: Record<Side, ForkedServer>,
  token: string,
): Promise<Record<Side, number[]>> {
  const rates: Record<Side, number[]> = { pavilion: [], bytes: [], fastify: [], node: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const side of Object.keys(SIDES) as Side[]) {
      const { requestsPerSecond } = await load({
        port: servers[side].port,
        method: 'GET',
        path: PATH,
        headers: { authorization: `Bearer ${token}` },
        bodies: [],
        connections: CONNECTIONS,
        durationMs: ROUND_MS,
      })
      // The first round only warms up.
      if (round > 0) rates[side].push(requestsPerSecond)
    }
  }
  return rates
}

/** A share is the median over rounds: within a round both sides ran under the same load. */
function printRates(rates: Record<Side, number[]>): void {
  console.log('side                      requests/s   pavilion is')
  for (const [side, name] of Object.entries(SIDES)) {
    const theirs = rates[side as Side]
    const share = median(theirs.map((rate, round) => rates.pavilion[round] / rate))
    const rate = median(theirs).toFixed(0)
    console.log(`${name.padEnd(25)} ${rate.padStart(10)}   ${share.toFixed(2)} of it`)
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
