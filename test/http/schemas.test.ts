import buildSerializer from 'fast-json-stringify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestMarket, type TestMarket } from '../support/market.ts'

let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market.close())

/** A server compiles a schema at the first call that needs it, when it would be too late. */
it('every operation has schemas that compile', () => {
  const compile = market.app.validatorCompiler
  let compiled = 0
  for (const { method, path, schema } of market.app.services.operations) {
    const { body, querystring, params, response = {} } = schema
    for (const [httpPart, part] of Object.entries({ body, querystring, params })) {
      if (!part) continue
      const validate = compile?.({ schema: part, method, url: path, httpPart }) as Validate
      expect(() => validate({}), `${httpPart} of ${method} ${path}`).not.toThrow()
      compiled++
    }
    for (const [status, answer] of Object.entries(response as object)) {
      expect(() => buildSerializer(answer), `${status} of ${method} ${path}`).not.toThrow()
      compiled++
    }
  }
  expect(compiled).toBeGreaterThan(300)
})

type Validate = (value: unknown) => unknown
