import { createServer } from 'node:http'
import fastify from 'fastify'
import { GEM_ATTRIBUTES } from '../src/reference/attributes.ts'
import { portOf, startPavilion } from './support/pavilion.ts'

/** One side of bench/http in a process of its own: `pavilion`, `fastify` or `node`. */
const [side, path, url] = process.argv.slice(2)
const text = JSON.stringify(GEM_ATTRIBUTES)
const port = await { pavilion, fastify: bareFastify, node: bareNode }[side as 'pavilion']()
process.send?.(port)

/** With a limit, which no call reaches, so that its fields are written. */
async function pavilion(): Promise<number> {
  return portOf(await startPavilion(url, { rateLimitPerMinute: 1_000_000_000 }))
}

async function bareFastify(): Promise<number> {
  const app = fastify()
  app.get(path, (_request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8').send(text)
  })
  await app.listen({ port: 0 })
  return portOf(app)
}

async function bareNode(): Promise<number> {
  const headers = { 'content-type': 'application/json', 'content-length': text.length }
  const server = createServer((_request, response) => response.writeHead(200, headers).end(text))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return portOf({ server })
}
