import type { ValidateFunction } from 'ajv'
import type { JsonSchema } from '../../../src/http/docs/components.ts'
import { createSchemaValidator } from '../../support/document-check.ts'

/** An operation of an OpenAPI document, with what its requests and responses must look like. */
export interface FuzzOperation {
  method: string
  /** As the document writes it: `/api/v3/webhooks/{uuid}`. */
  path: string
  query: JsonSchema
  body: JsonSchema | undefined
  /** The start of a file, where the body is one. */
  upload: string | undefined
  statuses: ReadonlySet<number>
  /** The check of a response body; undefined when the document describes none. */
  validatorFor(status: number, type: string): ValidateFunction | undefined
  resolve: (schema: JsonSchema) => JsonSchema
}

interface DocumentedOperation {
  parameters?: { name: string; in: string; required?: boolean; schema: JsonSchema }[]
  requestBody?: { content: Record<string, { schema: JsonSchema; example?: unknown }> }
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>
}

interface OpenApiDocument {
  paths: Record<string, Record<string, DocumentedOperation>>
}

/** Reads the operations of the documents that the server itself serves. */
export async function readOperations(address: string): Promise<FuzzOperation[]> {
  const found: FuzzOperation[] = []
  for (const name of ['v2', 'v3', 'operator']) {
    const response = await fetch(`${address}/openapi/${name}.json`)
    const document = (await response.json()) as OpenApiDocument
    const validatorAt = createSchemaValidator(document)
    const resolve = resolverOf(document)
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const at = (status: number, type: string) => [
          ...['paths', path, method, 'responses'],
          ...[String(status), 'content', type, 'schema'],
        ]
        found.push({
          method: method.toUpperCase(),
          path,
          query: querySchema(operation),
          body: operation.requestBody?.content['application/json']?.schema,
          upload: uploadExample(operation),
          statuses: new Set(Object.keys(operation.responses).map(Number)),
          validatorFor: (status, type) =>
            operation.responses[status]?.content?.[type] && validatorAt(at(status, type)),
          resolve,
        })
      }
    }
  }
  return found
}

function querySchema({ parameters = [] }: DocumentedOperation): JsonSchema {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  return {
    type: 'object',
    properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
    required: inQuery.filter(({ required }) => required).map(({ name }) => name),
  }
}

function uploadExample({ requestBody }: DocumentedOperation): string | undefined {
  if (!requestBody || 'application/json' in requestBody.content) return undefined
  const [first] = Object.values(requestBody.content)
  return typeof first.example === 'string' ? first.example : 'stock,shape,weight\nA-1,round,1.01\n'
}

function resolverOf(document: object) {
  return function resolve(schema: JsonSchema): JsonSchema {
    if (typeof schema.$ref !== 'string') return schema
    const names = schema.$ref.replace('#/', '').split('/')
    const target = names.reduce<unknown>(
      (value, name) => (value as Record<string, unknown>)[name],
      document,
    )
    return resolve(target as JsonSchema)
  }
}
