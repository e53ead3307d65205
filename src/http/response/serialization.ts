import buildSerializer from 'fast-json-stringify'
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
 * For pages of whole orders, which are hundreds of kilobytes: the engine's own function writes them
 * in less than half the time. It leaves nothing out, so their renderings must name every field; the
 * tests compare every response with its document.
 */
export const plainSerializer = () => (body: unknown) => JSON.stringify(body)
