import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../src/http/docs/components.ts'
import { createSchemaValidator } from '../support/document-check.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'
import { stockStones } from '../support/stocked.ts'

interface DocumentedOperation {
  operationId: string
  tags: string[]
  summary: string
  parameters: { name: string; description: string; schema: JsonSchema }[]
  requestBody?: { content: Record<string, { schema: JsonSchema; example: unknown }> }
  responses: Record<string, { content?: Record<string, { schema: JsonSchema; example?: unknown }> }>
}

let market: TestMarket
const documents: Record<string, Record<string, never>> = {}

beforeAll(async () => {
  market = await openTestMarket()
  for (const name of ['v2', 'v3', 'operator', 'supplier']) {
    const { status, body } = await market.call('GET', `/openapi/${name}.json`)
    expect(status).toBe(200)
    documents[name] = body
  }
})
afterAll(() => market.close())

interface Listed {
  document: string
  method: string
  path: string
  operation: DocumentedOperation
}

function operations(): Listed[] {
  return Object.entries(documents).flatMap(([document, { paths }]) =>
    Object.entries(paths as Record<string, Record<string, DocumentedOperation>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => {
          return { document, method: method.toUpperCase(), path, operation }
        }),
    ),
  )
}

describe('the documents', () => {
  it('list exactly what is served below /api', () => {
    const served = market.app.services.operations
      .filter(({ documented }) => documented)
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    const listed = operations().map(({ method, path }) => `${method} ${path}`)
    expect(listed.sort()).toEqual(served.sort())
    const hidden = market.app.services.operations.filter(({ documented }) => !documented)
    expect(hidden.filter(({ path }) => path.startsWith('/api/'))).toEqual([])
  })

  it('declare version 3.0.0 of the v3 API, in OpenAPI 3.1', () => {
    expect(documents.v3).toMatchObject({ openapi: '3.1.0', info: { version: '3.0.0' } })
  })

  it('group the operations as the specification does', () => {
    const groups = new Set(
      operations()
        .filter(({ document }) => document === 'v2' || document === 'v3')
        .flatMap(({ operation }) => operation.tags),
    )
    for (const group of groups) expect(SPECIFIED_GROUPS).toContain(group)
  })

  it('describe every operation, parameter and field', () => {
    for (const { method, path, operation } of operations()) {
      expect(operation.summary, `${method} ${path}`).not.toBe('')
      expect(operation.tags, `${method} ${path}`).not.toEqual([])
      for (const { name, description } of operation.parameters) {
        expect(description, `${name} of ${method} ${path}`).toBeTruthy()
      }
    }
    const bare: string[] = []
    for (const [document, { components }] of Object.entries(documents)) {
      const { schemas } = components as { schemas: Record<string, JsonSchema> }
      for (const [name, schema] of Object.entries(schemas)) {
        for (const [field, property] of Object.entries(schema.properties ?? {})) {
          const described = property.description || property.$ref || property.anyOf
          if (!described) bare.push(`${document}: ${name}.${field}`)
        }
      }
    }
    expect(bare).toEqual([])
  })

  it('give every body and every response an example that is valid against its schema', () => {
    for (const [name, document] of Object.entries(documents)) {
      const validatorAt = createSchemaValidator(document, { validateFormats: false })
      for (const { method, path, operation } of operations()) {
        if ((document.paths as object)[path as never] === undefined) continue
        const place = ['paths', path, method.toLowerCase()]
        const bodies: [string[], { content?: Record<string, { example?: unknown }> }][] = [
          [[...place, 'requestBody'], operation.requestBody ?? {}],
          ...Object.entries(operation.responses).map(
            ([status, response]) => [[...place, 'responses', status], response] as never,
          ),
        ]
        for (const [at, body] of bodies) {
          for (const [type, { example }] of Object.entries(body.content ?? {})) {
            if (example === undefined) continue
            const validate = validatorAt([...at, 'content', type, 'schema'])
            const errors = () => JSON.stringify(validate.errors?.slice(0, 2))
            expect(validate(example), `${name} ${at.join(' ')}: ${errors()}`).toBe(true)
          }
        }
      }
    }
  })

  it('have no default in a response, which the serializer would fill in', () => {
    const made = market.app.services.operations.flatMap(({ method, path, schema }) => {
      const text = JSON.stringify(schema.response ?? {})
      return text.includes('"default":') ? [`${method} ${path}`] : []
    })
    expect(made).toEqual([])
  })

  it('pass the linter of another project', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pavilion-documents-'))
    try {
      const files = Object.entries(documents).map(([name, document]) => {
        writeFileSync(join(folder, `${name}.json`), JSON.stringify(document))
        return `${name}.json`
      })
      const linter = join(process.cwd(), 'node_modules/@redocly/cli/bin/cli.js')
      execFileSync(process.execPath, [linter, 'lint', ...LINT_OPTIONS, ...files], {
        cwd: folder,
        stdio: 'pipe',
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

/** The server address is that of an installation, which the linter cannot know. */
const LINT_OPTIONS = ['--extends=spec', '--format=stylish']

const SPECIFIED_GROUPS = [
  'Users',
  'Diamonds',
  'Gemstones',
  'Inventory',
  'Orders',
  'Product Variants',
  'Products',
  'Merchant Templates',
  'Merchant Addresses',
  'Profit Margins',
  'Defaults',
  // Groups of extensions.
  'Webhooks',
  'Events',
  'Saved Searches',
  'Shares',
  'Watched Stones',
  'Sessions',
  'Tokens',
  'Audit',
  'Notices',
]

describe('the page of the documents', () => {
  it('may call its own address only', async () => {
    const page = await market.call('GET', '/docs')
    expect(page.status).toBe(200)
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/https?:/)
    expect(page.text).not.toMatch(/https?:\/\//)
    for (const script of page.text.matchAll(/src="([^"]+)"/g)) {
      expect((await market.call('GET', script[1])).status).toBe(200)
    }
  })

  it('has a text version for language models', async () => {
    const { text } = await market.call('GET', '/llms.txt')
    for (const name of ['v2', 'v3', 'operator', 'supplier'])
      expect(text).toContain(`/openapi/${name}.json`)
  })
})

describe('the schemas of the documents', () => {
  it('require no field that has a default', async () => {
    for (const name of ['v2', 'v3', 'operator', 'supplier']) {
      const { body } = await market.call('GET', `/openapi/${name}.json`)
      const schemas = Object.entries(body.components.schemas) as [
        string,
        { required?: string[]; properties?: Record<string, { default?: unknown }> },
      ][]
      const wrong = schemas.flatMap(([title, { required = [], properties = {} }]) =>
        required
          .filter((field) => properties[field].default !== undefined)
          .map((f) => `${title}.${f}`),
      )
      expect(wrong).toEqual([])
    }
  })

  it('mark every operation outside the specification as an extension', async () => {
    const { body } = await market.call('GET', '/openapi/v3.json')
    const { description: ours } = body.paths['/api/v3/gemstones/search'].post
    expect(ours).toMatch(/^An extension of the specified interface\./)
    expect(body.paths['/api/v3/orders/list'].get.description ?? '').not.toMatch(/extension/)
  })

  it('contain in v2 everything that is specified in v3 only', async () => {
    const paths = async (version: string) =>
      Object.keys((await market.call('GET', `/openapi/${version}.json`)).body.paths)
    const v2 = await paths('v2')
    const specifiedInV3 = [
      '/diamonds/get_parcel_filters',
      '/profit_margins/{uuid}',
      '/products/query',
      '/products/jewelry/query',
      '/product_variants/jewelry/query',
      '/product_filters',
      '/merchant_templates/list',
      '/orders/search',
    ]
    expect(v2).toEqual(expect.arrayContaining(specifiedInV3.map((path) => `/api/v2${path}`)))
    const { key } = await market.merchant()
    const list = (version: string) =>
      market.call('GET', `/api/${version}/diamonds/get_parcel_filters`, { token: key })
    expect((await list('v2')).body).toEqual((await list('v3')).body)
  })
})

describe('the check of every response in the tests', () => {
  it('includes what is sent as bytes: pages of stones and the lines of a snapshot', async () => {
    const other = await openTestMarket()
    const { key: token } = await other.merchant()
    const search = '/api/v3/diamonds/merchant_search'
    const snapshot = '/api/v3/inventory/snapshot'
    await stockStones(other, {})
    expect((await other.call('POST', search, { token, body: {} })).status).toBe(200)
    expect((await other.call('GET', snapshot, { token })).status).toBe(200)
    // The column accepts any JSON, the schema objects only, and no serializer is in between.
    await stockStones(other, { v360_info: JSON.stringify('not an object') as never })
    await expect(other.call('POST', search, { token, body: {} })).rejects.toThrow('merchant_search')
    const headers = { 'accept-encoding': 'gzip' }
    await expect(other.call('GET', snapshot, { token, headers })).rejects.toThrow('snapshot')
    const path = '/api/v3/inventory/changes?after=0'
    await other.app.inject({ url: path, headers: { authorization: `Bearer ${token}` } })
    await expect(other.close()).rejects.toThrow('changes')
  })
})
