import buildSerializer from 'fast-json-stringify'
import type { FastifyReply } from 'fastify'
import type { JsonTexts } from '../../lib/json-text.ts'
import type { App } from '../route.ts'

/**
 * Writes responses with the functions that Fastify would compile from their schemas, each compiled
 * by the first response that needs it: most of a start was spent on functions of routes that are
 * rarely or never called.
 */
export function registerSerialization(app: App): void {
  app.setSerializerCompiler(({ schema }) => {
    let serialize: ((body: unknown) => string) | undefined
    return (body) => {
      serialize ??= buildSerializer(schema as Parameters<typeof buildSerializer>[0])
      return serialize(body)
    }
  })
}

/**
 * Sends a page of whole orders, which is hundreds of kilobytes: the engine's own function writes
 * it, and the products are text already. This leaves nothing out, so the renderings must name every
 * field; a test compares these pages with their schemas.
 */
export function sendWithTexts(reply: FastifyReply, page: object, texts: JsonTexts): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(texts.write(page))
}
