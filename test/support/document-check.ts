import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import { openApiOf } from '../../src/http/docs/openapi.ts'
import { DOCUMENTS } from '../../src/http/docs/page.ts'
import type { App } from '../../src/http/route.ts'
import type { TestResponse } from './market.ts'

interface OpenApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, DocumentedResponse> }>>
}
interface DocumentedResponse {
  content?: Record<string, { schema: object }>
}

/** Validates values against a schema inside an OpenAPI document, given the path to it. */
export function createSchemaValidator(document: object, options: object = {}) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, ...options })
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

/** Checks responses against the served OpenAPI documents: status, media type and every field. */
export function createDocumentCheck(app: App) {
  const documents = Object.values(DOCUMENTS).map((options) => {
    const text = JSON.stringify(openApiOf(app.services.operations, { ...options, publicUrl: '' }))
    const document = JSON.parse(text) as OpenApiDocument
    return { document, validatorAt: createSchemaValidator(document) }
  })

  return (method: string, url: string, response: TestResponse): void => {
    const found = findOperation(documents, method.toLowerCase(), url.split('?')[0])
    if (!found || response.status === 304) return
    const { pattern, responses, validatorAt } = found
    const documented = responses[response.status]
    const name = `${method} ${pattern} returned ${response.status}`
    expect(documented, `${name}, which its document does not list: ${response.text}`).toBeDefined()
    if (documented.content === undefined) return
    const type = String(response.headers['content-type']).split(';')[0]
    expect(Object.keys(documented.content), name).toContain(type)
    if (response.body === null) return
    const path = ['paths', pattern, method.toLowerCase(), 'responses', String(response.status)]
    const validate = validatorAt([...path, 'content', type, 'schema'])
    const valid = validate(response.body)
    expect(valid, `${name}: ${JSON.stringify(validate.errors?.slice(0, 3))}`).toBe(true)
  }
}

interface Documented {
  document: OpenApiDocument
  validatorAt: ReturnType<typeof createSchemaValidator>
}

function findOperation(documents: Documented[], method: string, path: string) {
  for (const { document, validatorAt } of documents) {
    const patterns = Object.keys(document.paths)
    const pattern =
      patterns.find((candidate) => candidate === path) ??
      patterns.find((candidate) => matches(candidate, path))
    const operation = pattern && document.paths[pattern][method]
    if (pattern && operation) return { pattern, responses: operation.responses, validatorAt }
  }
  return undefined
}

function matches(pattern: string, path: string): boolean {
  const expression = pattern.replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${expression}$`).test(path)
}
