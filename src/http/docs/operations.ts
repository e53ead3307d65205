import type { FastifySchema } from 'fastify'
import type { Access, App, RouteDeprecation } from '../route.ts'

/** One operation that is served. The OpenAPI documents and the generated tests read the list. */
export interface Operation {
  method: string
  /** The path as Fastify writes it: `/api/v3/profit_margins/:uuid`. */
  path: string
  access: Access
  schema: FastifySchema
  documented: boolean
  /** The start of a file, where the body is one. */
  uploadExample?: string
  /** What a call counts as, where that is not 1. */
  cost?: string
  /** The resource has an ETag, which a write can name in If-Match. */
  hasEtag?: true
  /** Answered from memory while the database is away. */
  mayBeStale?: true
  /** The body may name something that does not exist. */
  namesOthers?: true
  /** A stored response is sent again to its maker only. */
  answersSecret?: true
  /** Whether a GET has an ETag. */
  conditional: boolean
  /** Whether an Idempotency-Key does something. */
  idempotent: boolean
  /** Whether a call changes nothing, whatever its method. */
  isRead: boolean
  deprecation?: RouteDeprecation
}

/** Returns a list that grows with each route. Must be called before the first route. */
export function listOperations(app: App): readonly Operation[] {
  const operations: Operation[] = []
  app.addHook('onRoute', ({ method, url: path, config, schema = {} }) => {
    for (const name of [method].flat()) {
      // Fastify adds HEAD to each GET by itself, and OPTIONS belongs to CORS.
      if (!config?.access || name === 'HEAD' || name === 'OPTIONS') continue
      const { access, uploadExample, hasEtag, mayBeStale, namesOthers, answersSecret } = config
      const cost = config.cost?.text
      const documented = config.undocumented !== true
      const isRead = name === 'GET' || config.changesNothing === true
      operations.push({
        method: name,
        path,
        access,
        schema,
        documented,
        uploadExample,
        cost,
        hasEtag,
        mayBeStale,
        namesOthers,
        answersSecret,
        conditional: config.conditional === true,
        idempotent: name === 'POST' && !isRead && !config.ignoresIdempotencyKey,
        isRead,
        deprecation: config.deprecated,
      })
    }
  })
  return operations
}

/** The operations of the interface's specification. All others are our extensions. */
const SPECIFIED = new Set([
  'GET /api/v2/defaults/collections',
  'GET /api/v2/defaults/gem_ratios',
  'GET /api/v2/defaults/merchant_templates',
  'GET /api/v2/merchant_addresses/list',
  'GET /api/v2/orders/list',
  'GET /api/v2/profit_margins/list',
  'POST /api/v2/diamonds/merchant_search',
  'POST /api/v2/orders/place',
  'GET /api/v3/defaults/gem_attributes',
  'GET /api/v3/defaults/merchant_templates',
  'GET /api/v3/defaults/profit_margins',
  'GET /api/v3/diamonds/get_parcel_filters',
  'GET /api/v3/merchant_addresses/list',
  'GET /api/v3/merchant_templates/list',
  'GET /api/v3/orders/list',
  'GET /api/v3/orders/search',
  'GET /api/v3/product_filters',
  'GET /api/v3/profit_margins/:uuid',
  'GET /api/v3/profit_margins/list',
  'POST /api/v3/product_variants/jewelry/query',
  'POST /api/v3/products/jewelry/query',
  'POST /api/v3/products/query',
])

const EXTENSION = 'An extension of the specified interface.'

/** Returns the description of an operation, which says whether it is an extension. */
export function describeOperation(operation: Operation): string | undefined {
  const { method, path, schema, cost } = operation
  // The whole interfaces of the operator and of suppliers are our own.
  const isPlain = /^\/api\/(operator|supplier)\//.test(path) || SPECIFIED.has(`${method} ${path}`)
  const { deprecation } = operation
  const instead =
    deprecation && `Deprecated, and gone after ${deprecation.sunset}: ${deprecation.instead}.`
  const sentences = [isPlain ? undefined : EXTENSION, instead, schema.description, cost]
  return sentences.filter(Boolean).join(' ') || undefined
}
