import { createServer } from 'node:http'
import fastify from 'fastify'
import { GEM_ATTRIBUTES } from '../../src/reference/attributes.ts'
import { sendPort } from '../support/fork-server.ts'
import { portOf, startPavilion } from '../support/pavilion.ts'

/** One side of bench/http in its own process. The argument is a database URL or headers. */
const [side, path, argument] = process.argv.slice(2)
const text = JSON.stringify(GEM_ATTRIBUTES)
const sides = { pavilion, bytes: bareFastify, fastify: bareFastify, node: bareNode }
const port = await sides[side as keyof typeof sides]()
sendPort(port)

/** With a rate limit that no request reaches, so that its headers are written. */
async function pavilion(): Promise<number> {
  return portOf(await startPavilion(argument, { rateLimitPerMinute: 1_000_000_000 }))
}

async function bareFastify(): Promise<number> {
  const headers = { ...JSON.parse(argument), 'content-type': 'application/json; charset=utf-8' }
  const app = fastify()
  app.get(path, (_request, reply) => {
    reply.headers(headers).send(text)
  })
  await app.listen({ port: 0 })
  return portOf(app)
}

async function bareNode(): Promise<number> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  const server = createServer((_request, response) => response.writeHead(200, headers).end(text))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return portOf({ server })
}
