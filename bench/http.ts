import { createServer } from 'node:http'
import fastify from 'fastify'
import { pino } from 'pino'
import { openDatabase } from '../src/database/open.ts'
import { buildApp } from '../src/http/app.ts'
import { createToken } from '../src/merchants/token-store.ts'
import { GEM_ATTRIBUTES } from '../src/reference/attributes.ts'
import { withBenchDatabase } from './support/database.ts'
import { load } from './support/load.ts'

/**
 * Requests a second of a constant answer, with a token, against a bare Fastify route that answers
 * the same bytes and against a bare Node server: what access, limits, ids and headers cost.
 * Rounds alternate, so that a busy moment of the machine meets every side.
 */
const ROUNDS = 5
const ROUND_MS = 1_500
const CONNECTIONS = 16
const PATH = '/api/v3/defaults/gem_attributes'

await withBenchDatabase(async (url) => {
  const database = openDatabase({ url })
  const app = await buildApp({
    realm: 'live',
    database,
    publicUrl: 'http://127.0.0.1',
    rateLimitPerMinute: 1_000_000_000,
    log: pino({ level: 'silent' }),
  })
  const { token } = await createToken(database.db, { realm: 'live', type: 'admin' })
  const bytes = Buffer.from(JSON.stringify(GEM_ATTRIBUTES))
  const bare = fastify()
  bare.get(PATH, (_request, reply) => {
    reply.header('Content-Type', 'application/json; charset=utf-8').send(bytes)
  })
  const node = createServer((_request, response) => {
    const headers = { 'content-type': 'application/json', 'content-length': bytes.length }
    response.writeHead(200, headers).end(bytes)
  })
  await app.listen({ port: 0 })
  await bare.listen({ port: 0 })
  await new Promise<void>((resolve) => node.listen(0, resolve))

  const sides = { pavilion: app.server, 'bare Fastify': bare.server, 'bare Node': node }
  const rates: Record<string, number[]> = {}
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, server] of Object.entries(sides)) {
      const { port } = server.address() as { port: number }
      const { requestsPerSecond: rate } = await load({
        port,
        method: 'GET',
        path: PATH,
        headers: { authorization: `Bearer ${token}` },
        bodies: [],
        connections: CONNECTIONS,
        durationMs: ROUND_MS,
      })
      // The first round only warms up.
      if (round > 0) rates[name] = [...(rates[name] ?? []), rate]
    }
  }
  const ours = median(rates.pavilion)
  console.log('side           requests/s   pavilion is')
  for (const [name, values] of Object.entries(rates)) {
    const rate = median(values)
    console.log(
      `${name.padEnd(14)} ${rate.toFixed(0).padStart(10)}   ${(ours / rate).toFixed(2)} of it`,
    )
  }
  await app.close()
  await bare.close()
  node.close()
  await database.close()
})

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}
