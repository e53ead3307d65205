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
 * For pages of whole orders, which are hundreds of kilobytes: with the engine's own function a
 * merchant's page takes 15 ms instead of 20 (bench/orders-lists). It leaves nothing out, so the
 * renderings must name every field; a test compares these pages with their schemas.
 */
export const plainSerializer = () => (body: unknown) => JSON.stringify(body)
