import type { FastifySchema } from 'fastify'
import { type Access, scopedAccess } from '../request/access.ts'
import type { App } from '../route.ts'

/** One served operation. The list of them feeds the documents and the generated tests. */
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
  app.addHook('onRoute', (route) => {
    const { method, url, config, schema } = route
    for (const name of [method].flat()) {
      if (!config?.access) continue
      const access = scopedAccess(config.access, name, url)
      // A new object: routes of one file share what they declare.
      route.config = { ...config, access }
      // HEAD is Fastify's own twin of each GET, and OPTIONS belongs to CORS.
      if (name === 'HEAD' || name === 'OPTIONS') continue
      const documented = config.undocumented !== true
      const { uploadExample } = config
      surface.push({
        method: name,
        path: url,
        access,
        schema: schema ?? {},
        documented,
        uploadExample,
      })
    }
  })
}
