import { eventMessages } from '../schemas/events/event-data.ts'
import { type Components, createComponents, exampleOf, type JsonSchema } from './components.ts'
import type { DemoValues } from './examples/demo-values.ts'
import { exampleFor, type ResolvedExample } from './examples/resolve.ts'
import { HEADERS, headersOfResponse } from './headers.ts'
import { describeOperation, type Operation } from './operations.ts'
import { problemResponses, withProblemCodes } from './problems.ts'

interface DocumentOptions {
  title: string
  version: string
  description: string
  /** Only operations below this path. */
  prefix: string
  /** Whether the events that webhooks send belong to the document. */
  hasWebhooks?: boolean
  servers: readonly DocumentedServer[]
  /** Things of the market that examples name; without them examples only show what is meant. */
  values?: DemoValues
}

/** Where the interface is served. */
export interface DocumentedServer {
  url: string
  description: string
}

/** The part of a document that collections read. */
export interface OpenApiDocument {
  info: { title: string; version: string; description: string }
  servers: readonly DocumentedServer[]
  paths: Record<string, Record<string, DocumentedOperation>>
}

interface DocumentedOperation {
  tags: readonly string[]
  summary: string
  description?: string
  security?: readonly unknown[]
  parameters: { name: string; in: string; required: boolean; example?: unknown }[]
  requestBody?: { content: Record<string, { schema: unknown; example?: unknown }> }
}

/** Makes an OpenAPI 3.1 document from the same schemas that validate requests and responses. */
export function openApiOf(all: readonly Operation[], options: DocumentOptions) {
  const components = createComponents()
  const paths: OpenApiDocument['paths'] = {}
  const operations = all.filter(
    ({ documented, path }) => documented && isUnder(path, options.prefix),
  )
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][operation.method.toLowerCase()] = operationObject(
      operation,
      components,
      exampleFor(operation, options.values ?? new Map()),
    )
  }
  const tags = [...new Set(operations.flatMap(({ schema }) => schema.tags ?? []))]
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      description: options.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: options.servers,
    security: [{ bearer: [] }],
    tags: tags.map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    ...(options.hasWebhooks && { webhooks: webhooksOf(components) }),
    components: {
      headers: HEADERS,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token, pav_live_… or pav_test_…; a publishable key, pav_pub_live_…',
        },
      },
      schemas: withProblemCodes(components.schemas()),
    },
  }
}

/** What only a sandbox serves is described with what merchants call. */
function isUnder(path: string, prefix: string): boolean {
  return path.startsWith(prefix) || (prefix === '/api/v3/' && path.startsWith('/api/sandbox/'))
}

/** The messages that a merchant's server gets, each under its type. */
function webhooksOf(components: Components) {
  return Object.fromEntries(
    eventMessages().map(({ type, when, schema }) => {
      const parameters = SIGNATURE_HEADERS.map(([name, description, example]) => {
        return {
          name,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
          example,
        }
      })
      const post = {
        operationId: `webhook_${type.replaceAll('.', '_')}`,
        tags: ['Webhooks'],
        summary: when,
        description: 'Signed as /docs/webhooks describes; any 2xx within ten seconds accepts it.',
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: jsonContent(schema as unknown as JsonSchema, components),
        },
        responses: {
          204: { description: 'Accepted; so is every other status from 200 to 299' },
          410: { description: 'Disables the webhook' },
        },
      }
      return [type, { post }]
    }),
  )
}

const SIGNATURE_HEADERS = [
  [
    'webhook-id',
    'UUID of the event, the same in every attempt',
    '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90',
  ],
  ['webhook-timestamp', 'Seconds since 1970, of this attempt', '1769850900'],
  [
    'webhook-signature',
    'v1 and the base64 of HMAC-SHA256 over id.timestamp.body; two of them during a rotation',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
] as const

/** Descriptions of the groups of operations. */
const TAGS: Record<string, string> = {
  Diamonds: 'Search for diamonds',
  Gemstones: 'Search for colored stones',
  Inventory: 'Holds, and the whole market as a snapshot and a stream of changes',
  Orders: 'Place, list and search orders; quotes, and returns of what was bought',
  Notices: 'What happened, as it is sent by e-mail, and who gets which e-mails',
  Webhooks: 'Events: sent to the merchant as webhooks, or polled',
  'Product Variants': 'Jewelry, one row for each variant',
  Products: 'Jewelry and watches, one row for each product',
  'Merchant Templates': 'Templates for curated search',
  'Merchant Addresses': 'Shipping addresses',
  'Profit Margins': 'Margins that turn wholesale prices into retail prices',
  Defaults: 'Reference data of the trade',
  Stock: 'Single stones in the hands of the operator: overrides, notes, holds',
  Settings: 'Who sells, and how documents look',
  'Score cards': 'How well a supplier delivers',
  Sandbox: 'Rehearse: move the time, and ship, decline and pay orders',
  Sessions: 'Sign in to the console, and out',
}

function operationObject(operation: Operation, components: Components, example: ResolvedExample) {
  const { schema, access, uploadExample } = operation
  const body = schema.body as JsonSchema | undefined
  const description = describeOperation(operation)
  return {
    operationId: operationIdOf(operation),
    tags: schema.tags ?? [],
    summary: schema.summary ?? '',
    ...(description && { description }),
    ...(access.who === 'public' && { security: [] }),
    ...(operation.deprecation && { deprecated: true }),
    parameters: [
      ...parametersOf(schema.params as JsonSchema | undefined, 'path', components, example),
      ...parametersOf(schema.querystring as JsonSchema | undefined, 'query', components, example),
      ...headersOf(operation),
    ],
    ...(body && {
      requestBody: {
        required: !isNullable(body),
        content: jsonContent(body, components, example.body),
      },
    }),
    ...(uploadExample && { requestBody: uploadBody(uploadExample) }),
    responses: {
      ...responsesOf(operation, components),
      ...problemResponses(operation, components),
    },
  }
}

/** A nullable body may be left out. */
function isNullable({ type }: JsonSchema): boolean {
  return Array.isArray(type) && type.includes('null')
}

/** `GET /api/v3/profit_margins/:uuid` is `get_v3_profit_margins_uuid`. */
function operationIdOf({ method, path, schema }: Operation): string {
  const words = path.replace(/^\/api\//, '').replaceAll(/[^A-Za-z0-9]+/g, '_')
  return schema.operationId ?? `${method.toLowerCase()}_${words}`
}

function parametersOf(
  schema: JsonSchema | undefined,
  where: string,
  components: Components,
  given: ResolvedExample,
) {
  const required = new Set(schema?.required ?? [])
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { examples: _, ...plain } = components.referTo(property)
    const example = exampleOfParameter(property, given.parameter(name))
    return {
      name,
      in: where,
      // A parameter with a default may be left out, even though TypeBox lists it as required.
      required: where === 'path' || (required.has(name) && property.default === undefined),
      description: property.description ?? name,
      schema: plain,
      ...(example !== undefined && { example }),
      ...(property.type === 'array' && { style: 'form', explode: true }),
    }
  })
}

/** Numbers of the market are text there; null means that there is none to show. */
function exampleOfParameter(property: JsonSchema, given: unknown): unknown {
  if (given === null) return undefined
  if (given === undefined) return exampleOf(property)
  return property.type === 'integer' ? Number(given) : given
}

function uploadBody(example: string) {
  const file = { type: 'string', format: 'binary' }
  const description =
    'The file itself. Its format is detected from its content, not from its media type.'
  const content = {
    'text/csv': { schema: file, example },
    'application/octet-stream': { schema: file },
  }
  return { required: true, description, content }
}

function headersOf({ method, hasEtag, idempotent }: Operation) {
  if (!idempotent) return hasEtag && method !== 'GET' && method !== 'POST' ? [IF_MATCH] : []
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Repeating a POST with the same key within 24 hours returns the first response again. A ' +
        'refusal is not stored: after it, the key may be used for another try.',
      schema: { type: 'string', maxLength: 255 },
    },
  ]
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of what was read, or several of them: the write is refused with 412 ' +
    '`precondition_failed` when it was changed since. `*` fits whatever there is.',
  schema: { type: 'string', maxLength: 1_000 },
  example: '*',
}

function responsesOf(operation: Operation, components: Components) {
  const { response } = operation.schema
  const declared = Object.entries((response ?? {}) as Record<string, JsonSchema>)
  const responses = Object.fromEntries(
    declared.map(([status, schema]) => {
      const description = schema.description ?? 'Success'
      const headers = headersOfResponse(operation, Number(status))
      if (schema.type === 'null') return [status, { description, headers }]
      const content = schema.content ?? jsonContent(schema, components)
      return [status, { description, headers, content }]
    }),
  )
  const headers = headersOfResponse(operation, 304)
  if (operation.method !== 'GET' || !('ETag' in headers)) return responses
  return { ...responses, 304: { description: 'If-None-Match names what it still is', headers } }
}

function jsonContent(schema: JsonSchema, components: Components, given?: unknown) {
  const example = given ?? exampleOf(schema)
  return { 'application/json': { schema: components.referTo(schema), example } }
}
