import { gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifyReply } from 'fastify'
import { expect } from 'vitest'
import { openApiOf } from '../../src/http/docs/openapi.ts'
import { DOCUMENTS } from '../../src/http/docs/page.ts'
import type { App } from '../../src/http/route.ts'

interface OpenApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, DocumentedResponse> }>>
}
interface DocumentedResponse {
  content?: Record<string, { schema: object }>
}

/** Validates values against a schema inside an OpenAPI document, given the path to it. */
export function createSchemaValidator(document: object, options: object = {}) {
  // Compiling takes longer than validating: each component is compiled once, and nothing optimized.
  const fast = { inlineRefs: false, code: { optimize: false } }
  const ajv = new Ajv2020({ strict: false, validateSchema: false, ...fast, ...options })
  // ajv-formats is CommonJS, so its default export is wrapped.
  ;(formats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addSchema({ ...document, $id: 'document' })
  return (path: readonly string[]): ValidateFunction => {
    const pointer = path
      .map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/')
    const validate = ajv.getSchema(`document#/${pointer}`)
    if (!validate) throw new Error(`no schema at ${pointer}`)
    return validate
  }
}

export interface DocumentCheck {
  /** Throws the first mismatch that was found since the last call. */
  throwMismatch: () => void
}

/**
 * Checks every response of the app against its OpenAPI documents: status, media type and every
 * field. It sees the bytes before they are compressed, however the request was made, because
 * Fastify's serializer does not check what a handler sends as bytes. Must be called before the app
 * is ready.
 */
export function checkResponses(app: App): DocumentCheck {
  let documents: readonly Documented[] | undefined
  const mismatches: Error[] = []
  const attempt = (check: () => void) => {
    try {
      check()
    } catch (error) {
      mismatches.push(error as Error)
    }
  }
  app.addHook('onSend', async (request, reply, payload) => {
    const { url, method } = request.routeOptions
    if (url === undefined || request.method === 'HEAD') return payload
    documents ??= readDocuments(app)
    const found = findOperation(documents, String(method), url)
    const status = reply.statusCode
    const type = String(reply.getHeader('content-type') ?? '').split(';')[0]
    if (!found) return payload
    attempt(() => checkBody(found, status, type, payload))
    if (type === 'application/x-ndjson') {
      afterLines(reply, (text) => attempt(() => checkSnapshot(found, text)))
    }
    return payload
  })
  return {
    throwMismatch() {
      const [first] = mismatches.splice(0)
      if (first) throw first
    },
  }
}

interface Documented {
  document: OpenApiDocument
  validatorAt: ReturnType<typeof createSchemaValidator>
}

type Operations = App['services']['operations']

/** The documents by the operations that they describe: those of production or of a sandbox. */
const documentsRead = new Map<string, readonly Documented[]>()

/** Compiling the schemas of the documents takes longer than most tests, so apps share them. */
function readDocuments({ services: { operations } }: App): readonly Documented[] {
  const names = operations.map(({ method, path, documented, schema: { response } }) =>
    [method, path, documented, ...Object.keys(response ?? {})].join(' '),
  )
  const key = names.join('\n')
  const documents = documentsRead.get(key) ?? documentsOf(operations)
  documentsRead.set(key, documents)
  return documents
}

function documentsOf(operations: Operations): Documented[] {
  return Object.values(DOCUMENTS).map((options) => {
    const text = JSON.stringify(openApiOf(operations, { ...options, servers: [] }))
    const document = JSON.parse(text) as OpenApiDocument
    return { document, validatorAt: createSchemaValidator(document) }
  })
}

interface DocumentedOperation extends Documented {
  name: string
  path: string[]
  responses: Record<string, DocumentedResponse>
}

function findOperation(
  documents: readonly Documented[],
  method: string,
  url: string,
): DocumentedOperation | undefined {
  const pattern = url.replaceAll(/:(\w+)/g, '{$1}')
  for (const { document, validatorAt } of documents) {
    const operation = document.paths[pattern]?.[method.toLowerCase()]
    if (!operation) continue
    const path = ['paths', pattern, method.toLowerCase(), 'responses']
    const name = `${method} ${pattern}`
    return { document, validatorAt, name, path, responses: operation.responses }
  }
  return undefined
}

function checkBody(
  { name, path, responses, validatorAt }: DocumentedOperation,
  status: number,
  type: string,
  payload: unknown,
): void {
  // Some tests cause an internal error on purpose; `call` fails on all others.
  if (status === 500) return
  const documented = responses[status]
  const title = `${name} returned ${status}`
  if (!documented) throw new Error(`${title}, which its document does not list: ${String(payload)}`)
  if (documented.content === undefined) return
  if (!Object.hasOwn(documented.content, type)) {
    throw new Error(`${title} as ${type}, which its document does not list`)
  }
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return
  if (type === 'image/svg+xml') {
    expect(payload.slice(0, 4).toString(), title).toBe('<svg')
    return
  }
  if (type === 'application/pdf') {
    expect(payload.slice(0, 5).toString(), title).toBe('%PDF-')
    return
  }
  const validate = validatorAt([...path, String(status), 'content', type, 'schema'])
  checkValue(title, validate, JSON.parse(payload.toString()))
}

/** Throws what is wrong; `expect` would take longer than validating, for each of many values. */
function checkValue(title: string, validate: ValidateFunction, value: unknown): void {
  if (validate(value)) return
  throw new Error(`${title}: ${JSON.stringify(validate.errors?.slice(0, 3))}`)
}

/** Calls back with the text of a stream when all of it has been sent, without slowing it down. */
function afterLines(reply: FastifyReply, callback: (text: string) => void): void {
  const { raw } = reply
  const chunks: Buffer[] = []
  const write = raw.write.bind(raw) as (chunk: string | Buffer, ...rest: unknown[]) => boolean
  raw.write = (chunk: string | Buffer, ...rest: unknown[]) => {
    chunks.push(Buffer.from(chunk as Buffer))
    return write(chunk, ...rest)
  }
  const isZipped = reply.getHeader('content-encoding') === 'gzip'
  raw.once('finish', () => {
    const bytes = Buffer.concat(chunks)
    callback((isZipped ? gunzipSync(bytes) : bytes).toString())
  })
}

/** What the lines of each kind of product look like. */
const SCHEMA_OF: ReadonlyMap<string, string> = new Map([
  ['diamond', 'Gem'],
  ['gemstone', 'Gemstone'],
  ['melee', 'MeleeParcelListing'],
  ['jewelry', 'VariantListing'],
  ['watch', 'VariantListing'],
])

/** A snapshot is a start, any number of products, and an end that counts them. */
function checkSnapshot({ name, validatorAt }: DocumentedOperation, text: string): void {
  const lines = text.trimEnd().split('\n')
  const rows = lines.map((line) => JSON.parse(line))
  const [start, end] = [rows.shift(), rows.pop()]
  const sequence = expect.any(Number)
  expect(start, name).toEqual({ kind: 'snapshot', sequence, currency_code: expect.any(String) })
  expect(end, name).toEqual({ kind: 'end', count: rows.length })
  for (const row of rows) {
    const schema = SCHEMA_OF.get(row.product_type) ?? 'Gem'
    checkValue(name, validatorAt(['components', 'schemas', schema]), row)
  }
}
