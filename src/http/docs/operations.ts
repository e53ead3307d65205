import type { FastifySchema } from 'fastify'
import type { Access, App } from '../route.ts'

/** One operation that is served. The OpenAPI documents and the generated tests read this list. */
export interface Operation {
  method: string
  /** The path as Fastify writes it: `/api/v3/profit_margins/:uuid`. */
  path: string
  access: Access
  schema: FastifySchema
  documented: boolean
  /** The start of a file, where the body is one. */
  uploadExample?: string
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every operation that the app serves, in the order of registration. */
    surface: readonly Operation[]
  }
}

/** Keeps the list of operations while routes are registered. Must come before the first route. */
export function registerSurface(app: App): void {
  const surface: Operation[] = []
  app.decorate('surface', surface)
  app.addHook('onRoute', ({ method, url: path, config, schema = {} }) => {
    for (const name of [method].flat()) {
      // Fastify adds HEAD to each GET by itself, and OPTIONS belongs to CORS.
      if (!config?.access || name === 'HEAD' || name === 'OPTIONS') continue
      const { access, undocumented, uploadExample } = config
      surface.push({
        method: name,
        path,
        access,
        schema,
        documented: undocumented !== true,
        uploadExample,
      })
    }
  })
}
