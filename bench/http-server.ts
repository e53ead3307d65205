import { createServer, type Server } from 'node:http'
import fastify from 'fastify'
import { pino } from 'pino'
import { GEM_ATTRIBUTES } from '../src/reference/attributes.ts'
import { built } from './support/built.ts'

/** One side of bench/http in a process of its own: `pavilion`, `fastify` or `node`. */
const [side, path, url] = process.argv.slice(2)
const bytes = Buffer.from(JSON.stringify(GEM_ATTRIBUTES))
const server = await { pavilion, fastify: bareFastify, node: bareNode }[side as 'pavilion']()
process.send?.((server.address() as { port: number }).port)

async function pavilion(): Promise<Server> {
  const { openDatabase } = await built<typeof import('../src/database/open.ts')>('database/open')
  const { buildApp } = await built<typeof import('../src/http/app.ts')>('http/app')
  const app = await buildApp({
    realm: 'live',
    database: openDatabase({ url }),
    publicUrl: 'http://127.0.0.1',
    rateLimitPerMinute: 1_000_000_000,
    log: pino({ level: 'silent' }),
  })
  await app.listen({ port: 0 })
  return app.server
}

async function bareFastify(): Promise<Server> {
  const app = fastify()
  app.get(path, (_request, reply) => {
    reply.header('Content-Type', 'application/json; charset=utf-8').send(bytes)
  })
  await app.listen({ port: 0 })
  return app.server
}

async function bareNode(): Promise<Server> {
  const headers = { 'content-type': 'application/json', 'content-length': bytes.length }
  const app = createServer((_request, response) => response.writeHead(200, headers).end(bytes))
  await new Promise<void>((resolve) => app.listen(0, resolve))
  return app
}
