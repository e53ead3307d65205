import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import { DOCUMENTS } from '../../src/http/docs.ts'
import { openApiOf } from '../../src/http/openapi.ts'
import type { App } from '../../src/http/route.ts'
import type { Answer } from './market.ts'

interface OpenApiDocument {
  paths: Record<string, Record<string, { responses: Record<string, DocumentedAnswer> }>>
  components: { schemas: Record<string, unknown> }
}
interface DocumentedAnswer {
  content?: Record<string, { schema: object }>
}

/** Checks answers against what the served documents promise: status, type and every field. */
export function createDocumentCheck(app: App) {
  const documents = Object.values(DOCUMENTS).map((wish) => {
    const text = JSON.stringify(openApiOf(app.surface, { ...wish, publicUrl: '' }))
    return JSON.parse(text) as OpenApiDocument
  })
  const validators = new Map<string, ReturnType<Ajv2020['compile']>>()

  return (method: string, url: string, answer: Answer): void => {
    const path = url.split('?')[0]
    const found = findOperation(documents, method, path)
    if (!found || answer.status === 304) return
    const documented = found.operation.responses[answer.status]
    const name = `${method} ${found.pattern} answered ${answer.status}`
    expect(documented, `${name}, which its document does not list: ${answer.text}`).toBeDefined()
    const type = String(answer.headers['content-type']).split(';')[0]
    const content = documented.content?.[type]
    if (documented.content === undefined) return
    expect(content, `${name} as ${type}, which its document does not list`).toBeDefined()
    if (answer.body === null) return
    const key = `${name} ${type}`
    let validate = validators.get(key)
    if (!validate) {
      validate = compile(content!.schema, found.document)
      validators.set(key, validate)
    }
    const valid = validate(answer.body)
    expect(valid, `${name}: ${JSON.stringify(validate.errors?.slice(0, 3))}`).toBe(true)
  }
}

function findOperation(documents: OpenApiDocument[], method: string, path: string) {
  for (const document of documents) {
    const patterns = Object.keys(document.paths)
    const pattern =
      patterns.find((candidate) => candidate === path) ??
      patterns.find((candidate) => matches(candidate, path))
    const operation = pattern && document.paths[pattern][method.toLowerCase()]
    if (pattern && operation) return { document, pattern, operation }
  }
  return undefined
}

function matches(pattern: string, path: string): boolean {
  const expression = pattern.replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${expression}$`).test(path)
}

function compile(schema: object, document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  // ajv-formats is CommonJS: its default export arrives wrapped.
  ;(formats as unknown as (ajv: Ajv2020) => void)(ajv)
  return ajv.compile({ ...schema, components: document.components })
}
