import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runImport } from '../../src/feeds/importing/run-import.ts'
import { openTestMarket, type TestMarket } from '../support/market.ts'

const HEADER = 'Stock #,Shape,Weight,Color,Clarity,Lab,Report #,Price Per Carat\n'
const JEWELRY_HEADER = 'Stock Number,Jewelry Type,Jewelry Title,Jewelry Total Price\n'

let market: TestMarket
beforeAll(async () => {
  market = await openTestMarket()
})
afterAll(() => market.close())

function upload(path: string, payload: string) {
  return market.app.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${market.adminKey}`, 'content-type': 'text/csv' },
    payload,
  })
}

/**
 * Returns the longest turn of the event loop during a call, in milliseconds of CPU time: what the
 * machine does besides does not count.
 */
async function longestTurn<T>(call: Promise<T>): Promise<{ longestMs: number; result: T }> {
  let longestMs = 0
  let isDone = false
  let before = process.cpuUsage()
  const measure = () => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    longestMs = Math.max(longestMs, (user + system) / 1_000)
    if (!isDone) setImmediate(measure)
  }
  setImmediate(measure)
  const result = await call.finally(() => {
    isDone = true
  })
  return { longestMs, result }
}

describe('an import of rows that cannot be read', () => {
  it.each([
    ['stones', '/api/operator/imports', HEADER],
    ['jewelry', '/api/operator/jewelry/imports', JEWELRY_HEADER],
  ])('of %s lets requests be answered between its rows', async (_name, path, header) => {
    const call = upload(`${path}?supplier=Rows`, header + 'x\n'.repeat(90_000))
    const { longestMs, result } = await longestTurn(call)
    expect(result.statusCode).toBe(200)
    expect(longestMs).toBeLessThan(500)
  })

  it('refuses a file whose first hundred thousand rows are all rejected', async () => {
    const response = await upload(
      '/api/operator/imports?supplier=Rows',
      HEADER + 'x\n'.repeat(200_000),
    )
    expect(response.statusCode).toBe(422)
    expect(response.json()).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringMatching(
        /of the first \d+ rows were rejected, .*Row 2, Report #: The stock number is missing\. /,
      ),
    })
  })
})

describe('a dry run', () => {
  it('ends within the next rows when nobody waits for its report any more', async () => {
    const gone = new AbortController()
    let pieces = 0
    async function* bytes() {
      yield Buffer.from(HEADER)
      for (; pieces < 1_000; pieces++) {
        if (pieces === 100) gone.abort(new Error('The caller has gone.'))
        yield Buffer.from(`S-${pieces},Round,1.01,G,VS2,,,4200\n`.repeat(100))
      }
    }
    const request = { supplier: 'Gone', mode: 'update', dryRun: true, bytes: bytes() } as const
    const run = runImport(market.database, { ...request, signal: gone.signal })
    await expect(run).rejects.toThrow('The caller has gone.')
    expect(pieces).toBeLessThan(500)
  })
})
