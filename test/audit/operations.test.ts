import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../../src/http/docs/operations.ts'
import { EXAMPLES, WITHOUT_WRITES } from './examples.ts'
import { type Example, openWorld, type World } from './world.ts'

/** Every operation that writes is called successfully, and must leave an entry. */
let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.market.close())

const nameOf = ({ method, path }: Operation) => `${method} ${path}`

function writingOperations(): Operation[] {
  return world.market.app.services.operations.filter(
    (operation) =>
      operation.path.startsWith('/api/') &&
      operation.method !== 'GET' &&
      !WITHOUT_WRITES.has(nameOf(operation)),
  )
}

let calls = 0

/** Calls an operation, and returns its response with the entries that it left. */
async function callExample(operation: Operation, example: Example, requestId = `call-${++calls}`) {
  const { token, params = {}, query, body, file } = example
  const path = operation.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name])
  const response = await world.market.app.inject({
    method: operation.method as 'POST',
    url: query === undefined ? path : `${path}?${query}`,
    headers: {
      'x-request-id': requestId,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(file !== undefined && { 'content-type': 'text/csv' }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(file !== undefined && { payload: file }),
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  })
  const entries = await world.market.database.db
    .selectFrom('audit_entry')
    .selectAll()
    .where('request_id', '=', requestId)
    .execute()
  return { status: response.statusCode, text: response.body, entries }
}

describe('the audit', () => {
  it('knows an example of every operation that writes, and of no other', () => {
    const names = writingOperations().map(nameOf)
    expect([...EXAMPLES.keys()].toSorted()).toEqual(names.toSorted())
  })

  it('has an entry for every successful write, with who, what and from where', async () => {
    for (const operation of writingOperations()) {
      const name = nameOf(operation)
      const make = EXAMPLES.get(name)
      if (!make) throw new Error(`${name} has no example in examples.ts`)
      const { status, text, entries } = await callExample(operation, await make(world))
      expect(status, `${name}: ${text}`).toBeLessThan(300)
      expect(entries.length, `${name} left no entry`).toBeGreaterThan(0)
      for (const entry of entries) {
        expect(entry.action, name).toMatch(/^[a-z_]+(\.[a-z_]+)+$/)
        expect(entry.subject_id, name).not.toBe('')
        // Only a user has a password to set.
        const isPerson = operation.path === '/api/v3/session/password'
        expect(entry.actor_kind, name).toBe(isPerson ? 'user' : 'token')
        expect(entry.ip, name).toBe('127.0.0.1')
      }
    }
  })

  it('has no secret in any entry', async () => {
    const { db } = world.market.database
    const rows = await db.selectFrom('audit_entry').selectAll().execute()
    const text = JSON.stringify(rows)
    expect(text).not.toMatch(/pav_(live|test)_|whsec_|very-secret|"hash"/)
    expect(rows.length).toBeGreaterThan(EXAMPLES.size)
    const { hashes } = await db
      .selectFrom('token')
      .select((eb) => eb.fn.agg<string[]>('array_agg', [eb.ref('hash')]).as('hashes'))
      .executeTakeFirstOrThrow()
    expect(hashes.length).toBeGreaterThan(0)
  })
})
