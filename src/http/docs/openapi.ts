import { type Components, createComponents, exampleOf, type JsonSchema } from './components.ts'
import { describeOperation, type Operation } from './operations.ts'
import { problemResponses } from './problems.ts'

interface DocumentOptions {
  title: string
  version: string
  description: string
  /** Only operations below this path. */
  prefix: string
  publicUrl: string
}

/** Makes an OpenAPI 3.1 document from the same schemas that validate requests and responses. */
export function openApiOf(all: readonly Operation[], options: DocumentOptions) {
  const components = createComponents()
  const paths: Record<string, Record<string, unknown>> = {}
  const operations = all.filter(
    ({ documented, path }) => documented && isUnder(path, options.prefix),
  )
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][operation.method.toLowerCase()] = operationObject(operation, components)
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
    servers: [{ url: options.publicUrl }],
    security: [{ bearer: [] }],
    tags: tags.map((name) => ({ name, description: TAGS[name] ?? name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token, pav_live_… or pav_test_…; a publishable key, pav_pub_live_…',
        },
      },
      schemas: components.schemas(),
    },
  }
}

/** What only a sandbox serves is described with what merchants call. */
function isUnder(path: string, prefix: string): boolean {
  return path.startsWith(prefix) || (prefix === '/api/v3/' && path.startsWith('/api/sandbox/'))
}

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

function operationObject(operation: Operation, components: Components) {
  const { schema, access, uploadExample } = operation
  const body = schema.body as JsonSchema | undefined
  const description = describeOperation(operation)
  return {
    operationId: operationIdOf(operation),
    tags: schema.tags ?? [],
    summary: schema.summary ?? '',
    ...(description && { description }),
    ...(access.who === 'public' && { security: [] }),
    parameters: [
      ...parametersOf(schema.params as JsonSchema | undefined, 'path', components),
      ...parametersOf(schema.querystring as JsonSchema | undefined, 'query', components),
      ...headersOf(operation),
    ],
    ...(body && {
      requestBody: { required: !isNullable(body), content: jsonContent(body, components) },
    }),
    ...(uploadExample && { requestBody: uploadBody(uploadExample) }),
    responses: {
      ...responsesOf(schema.response, components),
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

function parametersOf(schema: JsonSchema | undefined, where: string, components: Components) {
  const required = new Set(schema?.required ?? [])
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: where,
    // A parameter with a default may be left out, even though TypeBox lists it as required.
    required: where === 'path' || (required.has(name) && property.default === undefined),
    description: property.description ?? name,
    schema: components.referTo(property),
    ...(property.type === 'array' && { style: 'form', explode: true }),
  }))
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

function headersOf({ method, hasEtag }: Operation) {
  if (method !== 'POST') return hasEtag && method !== 'GET' ? [IF_MATCH] : []
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
}

function responsesOf(response: unknown, components: Components) {
  const declared = Object.entries((response ?? {}) as Record<string, JsonSchema>)
  return Object.fromEntries(
    declared.map(([status, schema]) => [
      status,
      schema.type === 'null'
        ? { description: schema.description ?? 'Success' }
        : {
            description: schema.description ?? 'Success',
            content: schema.content ?? jsonContent(schema, components),
          },
    ]),
  )
}

function jsonContent(schema: JsonSchema, components: Components) {
  return {
    'application/json': { schema: components.referTo(schema), example: exampleOf(schema) },
  }
}
