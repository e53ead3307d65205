import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../../../src/events/events.ts'
import { openApiOf } from '../../../src/http/docs/openapi.ts'
import { listOperations } from '../../../src/http/docs/operations.ts'
import { listProblemCodes } from '../../../src/http/docs/problem-codes.ts'
import { registerDeprecation } from '../../../src/http/response/marks.ts'
import { type App, publicAccess } from '../../../src/http/route.ts'
import { type DemoTestMarket, openDemoMarket } from '../../support/demo-market.ts'
import { createSchemaValidator } from '../../support/document-check.ts'

const SANDBOX = 'http://sandbox.pavilion.test'
const NAMES = ['v2', 'v3', 'operator', 'supplier'] as const

let market: DemoTestMarket
// biome-ignore lint/suspicious/noExplicitAny: tests read documents of every shape
const documents: Record<string, any> = {}
beforeAll(async () => {
  market = await openDemoMarket(1200, { markets: { test: SANDBOX } })
  for (const name of NAMES) {
    documents[name] = (await market.call('GET', `/openapi/${name}.json`)).body
  }
})
afterAll(() => market.close())

describe('the OpenAPI documents', () => {
  it('have a webhook for every type of event, whose schema fits what happened', async () => {
    expect(Object.keys(documents.v3.webhooks).sort()).toEqual([...EVENT_TYPES].sort())
    const validatorAt = createSchemaValidator(documents.v3)
    const { rows } = await sql<{ type: string; timestamp: string; data: object }>`
      select event_type as type, created_on::text as timestamp, event_data as data from event
      where merchant_uuid is not null`.execute(market.database.db)
    expect(new Set(rows.map(({ type }) => type)).size).toBeGreaterThan(15)
    for (const row of rows) {
      const at = ['webhooks', row.type, 'post', 'requestBody', 'content', 'application/json']
      const validate = validatorAt([...at, 'schema'])
      expect(validate(row), `${row.type}: ${JSON.stringify(validate.errors)}`).toBe(true)
    }
  })

  it('list every code of an error as one schema', () => {
    for (const name of NAMES) {
      const { Problem, ProblemCode } = documents[name].components.schemas
      expect(ProblemCode.enum).toEqual(listProblemCodes().map(({ code }) => code))
      expect(Problem.properties.code.$ref).toBe('#/components/schemas/ProblemCode')
    }
  })

  it('name both servers, the one that was asked first', () => {
    for (const name of NAMES) {
      const urls = documents[name].servers.map(({ url }: { url: string }) => url)
      expect(urls).toEqual(['http://pavilion.test', SANDBOX])
    }
  })

  it('describe the header fields that responses have', async () => {
    const path = '/api/v3/merchant_addresses/list'
    const { headers } = await market.call('GET', path, { token: market.keys.merchantKey })
    const documented = documents.v3.paths[path].get.responses[200].headers
    for (const name of Object.keys(documented)) {
      // The tests have no rate limit.
      if (!name.startsWith('RateLimit')) expect(headers[name.toLowerCase()], name).toBeDefined()
      expect(documents.v3.components.headers[name].description).not.toBe('')
    }
    const others = documents.v3.paths[path].get.responses
    expect(others[304].headers).toHaveProperty('ETag')
    expect(others[401].headers).toHaveProperty('WWW-Authenticate')
    expect(others[429].headers).toHaveProperty('Retry-After')
  })

  it('describe only header fields that a page of another origin can read', async () => {
    const path = '/api/v3/defaults/gem_ratios'
    const options = { token: market.keys.merchantKey, headers: { origin: 'https://shop.example' } }
    const { headers } = await market.call('GET', path, options)
    const readable = headers['access-control-expose-headers']?.split(', ')
    expect(readable).toEqual(
      expect.arrayContaining(Object.keys(documents.v3.components.headers).sort()),
    )
  })

  it('offer an Idempotency-Key only where it does something', () => {
    const offered = market.app.services.operations.filter(
      ({ idempotent, documented }) => idempotent && documented,
    )
    const listed = NAMES.flatMap((name) =>
      Object.values(documents[name].paths).flatMap((methods) =>
        Object.values(methods as Record<string, { parameters: { name: string }[] }>),
      ),
    ).filter(({ parameters }) => parameters.some((each) => each.name === 'Idempotency-Key'))
    expect(listed).toHaveLength(offered.length)
    expect(offered.map(({ path }) => path)).not.toContain('/api/v3/diamonds/merchant_search')
  })

  it('leave out statuses that a search never has', () => {
    const { responses } = documents.v3.paths['/api/v3/diamonds/merchant_search'].post
    const statuses = ['200', '400', '401', '403', '413', '415', '422', '429', '503']
    expect(Object.keys(responses)).toEqual(statuses)
  })
})

describe('a deprecated route', () => {
  const deprecated = { since: '2027-01-01', sunset: '2028-01-31', instead: 'use the new one' }

  it('says so in every response, and in its document', async () => {
    const app = Fastify() as unknown as App
    const operations = listOperations(app)
    registerDeprecation(app)
    const config = { access: publicAccess, deprecated }
    app.get('/api/v3/old', { config, schema: { tags: ['Defaults'] } }, () => ({}))
    app.get('/api/v3/new', { config: { access: publicAccess } }, () => ({}))
    const old = await app.inject('/api/v3/old')
    expect(old.headers).toMatchObject({
      deprecation: '@1798761600',
      sunset: 'Mon, 31 Jan 2028 23:59:59 GMT',
      link: '</docs/versions>; rel="deprecation"',
    })
    expect((await app.inject('/api/v3/new')).headers).not.toHaveProperty('deprecation')
    const options = { title: '', version: '', description: '', prefix: '/api/v3/', servers: [] }
    const { paths } = openApiOf(operations, options)
    expect(paths['/api/v3/old'].get).toMatchObject({
      deprecated: true,
      description: expect.stringContaining('gone after 2028-01-31: use the new one.'),
    })
  })

  it('stays for at least a year', () => {
    const app = Fastify() as unknown as App
    registerDeprecation(app)
    const config = { access: publicAccess, deprecated: { ...deprecated, sunset: '2027-11-30' } }
    expect(() => app.get('/api/v3/old', { config }, () => ({}))).toThrow('12 months')
  })
})
