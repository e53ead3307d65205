import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { JsonSchema } from '../../src/http/docs/components.ts'
import type { Operation } from '../../src/http/docs/operations.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

/** Requests per operation. Together they are some thousands, and none may return 5xx. */
const RUNS = 60

let market: TestMarket
let key: string

beforeAll(async () => {
  market = await openTestMarket()
  key = (await market.merchant()).key
  // Until the indexes are loaded, a search correctly returns 503.
  const ready = async () => expect((await market.call('GET', '/readyz')).status).toBe(200)
  await vi.waitFor(ready, { timeout: 60_000 })
})
afterAll(() => market.close())

const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('', ' ', '\u0000', '🙈', "'; drop table gem; --", '%00', '../..', '1e999'),
  fc.constantFrom(-1, 0, 1e308, Number.MAX_SAFE_INTEGER, 0.1, null, true, [], {}),
)

/** Values that mostly fit the schema, and sometimes do not. */
function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fitting(schema), weight: 5 }, { arbitrary: junk, weight: 1 })
}

function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fitting))
  const [type] = [schema.type].flat()
  if (type === 'object') return objectsOf(schema)
  if (type === 'array')
    return fc.array(schema.items ? valuesOf(schema.items) : junk, { maxLength: 4 })
  if (type === 'integer') return fc.integer({ min: -2, max: 2000 })
  if (type === 'number') return fc.oneof(fc.double({ noNaN: true }), fc.double({ min: 0, max: 10 }))
  if (type === 'boolean') return fc.boolean()
  const examples = (schema.examples ?? ['x']) as string[]
  return fc.oneof(fc.constantFrom(...examples), fc.string({ maxLength: 30 }), fc.uuid())
}

function objectsOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {})
  const known = fc.record(
    Object.fromEntries(fields.map(([name, field]) => [name, valuesOf(field)])),
    { requiredKeys: [] },
  )
  const withUnknownName = fc
    .tuple(known, fc.string({ maxLength: 12 }), junk)
    .map(([object, name, value]) => ({ ...object, [name]: value }))
  return fc.oneof({ arbitrary: known, weight: 9 }, { arbitrary: withUnknownName, weight: 1 })
}

function queriesOf(schema: JsonSchema | undefined): fc.Arbitrary<string> {
  return (objectsOf(schema ?? {}) as fc.Arbitrary<Record<string, unknown>>).map((query) =>
    Object.entries(query)
      .map(([name, value]) => `${encode(name)}=${encode(textOf(value))}`)
      .join('&'),
  )
}

/** A lone surrogate cannot be sent in an address at all. */
function encode(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'))
}

async function fuzz(operation: Operation): Promise<void> {
  const { schema, access, method } = operation
  const token = access.who === 'operator' ? market.adminKey : key
  const requests = fc.record({
    query: queriesOf(schema.querystring as JsonSchema | undefined),
    body: schema.body ? valuesOf(schema.body as JsonSchema) : fc.constant(undefined),
    parameter: fc.oneof(fc.uuid(), fc.string({ minLength: 1, maxLength: 40 })),
  })
  await fc.assert(
    fc.asyncProperty(requests, async ({ query, body, parameter }) => {
      const path = operation.path.replaceAll(/:\w+/g, encode(parameter) || 'x')
      const response = await market.call(method, `${path}?${query}`, { token, body })
      expect(response.status, response.text).toBeLessThan(500)
    }),
    { numRuns: RUNS },
  )
}

describe('random requests', () => {
  it('never cause an internal error, on any operation', async () => {
    const guarded = market.app.services.operations.filter(
      // Long polls respond late by design, and an upload accepts any bytes.
      ({ access, path }) =>
        access.who !== 'public' && !EXCLUDED.some((part) => path.includes(part)),
    )
    for (const operation of guarded) await fuzz(operation)
  }, 120_000)
})

const EXCLUDED = ['/inventory/changes', '/operator/imports', '/inventory/snapshot']

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
