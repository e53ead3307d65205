import { createServer } from 'node:http'
import fastify from 'fastify'
import { GEM_ATTRIBUTES } from '../../src/reference/attributes.ts'
import { tellPort } from '../support/fork-server.ts'
import { portOf, startPavilion } from '../support/pavilion.ts'

/** One side of bench/http in a process of its own; its argument is a database or headers. */
const [side, path, argument] = process.argv.slice(2)
const text = JSON.stringify(GEM_ATTRIBUTES)
const sides = { pavilion, bytes: bareFastify, fastify: bareFastify, node: bareNode }
const port = await sides[side as keyof typeof sides]()
tellPort(port)

/** With a limit, which no call reaches, so that its fields are written. */
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
