// Writes the types of the client's operations from the OpenAPI document of the compiled server, so
// that the published types are those that the server checks.
// usage: node bin/client-types.js COMPILED_FOLDER OUTPUT_FILE
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'

const NAMES = new Map([
  ['integer', 'number'],
  ['number', 'number'],
  ['string', 'string'],
  ['boolean', 'boolean'],
  ['null', 'null'],
])

const [compiled, output] = process.argv.slice(2)
const load = (path) => import(pathToFileURL(resolve(join(compiled, path))).href)
const document = await readDocument()
writeFileSync(output, typesOf(document))

/** An app that is built and never started: it knows its routes without a database. */
async function readDocument() {
  const [{ buildApp }, { openDatabase }, { openSecrets }, { openApiOf }] = await Promise.all([
    load('http/app.js'),
    load('database/open.js'),
    load('database/secrets/secrets.js'),
    load('http/docs/openapi.js'),
  ])
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing' })
  const app = await buildApp({
    realm: 'live',
    database,
    publicUrl: 'http://market.example',
    secrets: openSecrets({ secretKeys: ['x'.repeat(32)], dataFolder: '' }, { mayCreateKey: false }),
    rateLimitPerMinute: 0,
    log: pino({ level: 'silent' }),
  })
  try {
    return openApiOf(app.services.operations, { prefix: '/api/v3/' })
  } finally {
    await app.close()
    await database.close()
  }
}

function typesOf({ paths, components }) {
  const named = Object.entries(components.schemas).map(
    ([name, schema]) => `${commentOf(schema, '')}export type ${name} = ${typeOf(schema, '')}\n`,
  )
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(method, path, operation)),
  )
  return [
    '// Written by the build from the OpenAPI document; see bin/client-types.js.\n',
    'export interface Operations {\n',
    ...operations,
    '}\n',
    '/** A line of a snapshot, or the product of a change. */\n',
    "export type AnyProduct = NonNullable<Change['gem']>\n",
    ...named,
  ].join('')
}

function operationOf(method, path, operation) {
  const { parameters, requestBody, responses, summary } = operation
  const body = requestBody?.content['application/json']?.schema
  return [
    commentOf({ description: summary }, '  '),
    `  '${method.toUpperCase()} ${path}': {\n`,
    `    path: ${parametersOf(parameters, 'path')}\n`,
    `    query: ${parametersOf(parameters, 'query')}\n`,
    `    body: ${body ? typeOf(body, '    ') : 'undefined'}\n`,
    `    response: ${responseOf(responses)}\n`,
    '  }\n',
  ].join('')
}

function parametersOf(parameters, where) {
  const own = parameters.filter((parameter) => parameter.in === where)
  if (own.length === 0) return 'undefined'
  const properties = Object.fromEntries(
    own.map(({ name, schema, description }) => [name, { description, ...schema }]),
  )
  const required = own.flatMap(({ name, required }) => (required ? [name] : []))
  return typeOf({ type: 'object', properties, required }, '    ')
}

/** Of the first response that means success. A body that is not JSON is a file. */
function responseOf(responses) {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  if (!success?.content) return 'undefined'
  const schema = success.content['application/json']?.schema
  return schema ? typeOf(schema, '    ') : 'Blob'
}

function typeOf(schema, indent) {
  if (schema.$ref) return schema.$ref.split('/').at(-1)
  if (schema.anyOf) return unionOf(withoutParts(schema.anyOf).map((each) => typeOf(each, indent)))
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return unionOf(schema.enum.map((value) => JSON.stringify(value)))
  return unionOf([schema.type].flat().map((type) => plainTypeOf(type, schema, indent)))
}

function plainTypeOf(type, schema, indent) {
  if (type === 'array') return `(${schema.items ? typeOf(schema.items, indent) : 'unknown'})[]`
  if (type === 'object') return objectOf(schema, indent)
  return NAMES.get(type) ?? 'unknown'
}

function objectOf({ properties, required = [], additionalProperties }, indent) {
  if (!properties || Object.keys(properties).length === 0) {
    const isTyped = typeof additionalProperties === 'object'
    return `Record<string, ${isTyped ? typeOf(additionalProperties, indent) : 'unknown'}>`
  }
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    return `${commentOf(schema, inner)}${inner}${key}${mark}: ${typeOf(schema, inner)}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

/** A row may have only the fields that a search names. Its type is that of a whole row. */
function withoutParts(schemas) {
  const isPart = ({ $ref }) => {
    const { required, properties } = document.components.schemas[$ref?.split('/').at(-1)] ?? {}
    return properties !== undefined && (required ?? []).length === 0
  }
  const whole = schemas.filter((schema) => !isPart(schema))
  return whole.length > 0 ? whole : schemas
}

function unionOf(types) {
  return [...new Set(types)].join(' | ')
}

function commentOf({ description }, indent) {
  return description ? `${indent}/** ${description.replaceAll('*/', '* /')} */\n` : ''
}
