import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runPavilion } from '../../support/command-line.ts'
import { type DemoTestMarket, openDemoMarket } from '../../support/demo-market.ts'
import { pastedOperations } from './pasted.ts'

/** The runners of Postman and Bruno send the collections to a market, with the printed keys. */
const RUNNERS = resolve('.ci/runners/node_modules/.bin')
const hasRunners = ['newman', 'bru'].every((name) => existsSync(join(RUNNERS, name)))
const MISSING = '.ci/runners is missing: collections are not run. .ci/run installs the runners.'
if (!hasRunners) process.stderr.write(`${MISSING}\n`)

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'pavilion-runners-'))
let market: DemoTestMarket
let url: string

beforeAll(async () => {
  if (!hasRunners) return
  market = await openDemoMarket()
  url = await market.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await market?.close()
})

/** What a runner sent, and what the market answered. */
interface Sent {
  name: string
  status: number
}

/** A person signs in and out and has a password; the printed key does not. */
const OF_PEOPLE = [
  'Opens a session with a one-time code, a password or a key',
  'Signs out: ends the session immediately, on every node',
  "Sets the password of the session's own user",
]

async function expectAll(document: 'v3' | 'operator', sent: readonly Sent[]): Promise<void> {
  const { body } = await market.call('GET', `/openapi/${document}.json`)
  expect(sent).toHaveLength(pastedOperations(body).length)
  const refused = sent.filter(({ name, status }) => {
    return !OF_PEOPLE.includes(name) && !(status >= 200 && status < 300)
  })
  expect(refused).toEqual([])
}

describe.skipIf(!hasRunners)('a collection', () => {
  it("runs in Postman's runner, and every request succeeds", async () => {
    const [collection, report] = [join(folder, 'v3.json'), join(folder, 'newman.json')]
    const written = await runPavilion(['openapi', 'v3', '--url', url, '--postman', collection], {})
    expect(written.code).toBe(0)
    const values = { baseUrl: url, key: market.keys.merchantKey }
    await run(join(RUNNERS, 'newman'), [
      ...['run', collection, '--suppress-exit-code', '--reporters', 'json'],
      ...['--reporter-json-export', report],
      ...Object.entries(values).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
    ])
    const { executions } = JSON.parse(readFileSync(report, 'utf8')).run as {
      executions: { item: { name: string }; response?: { code: number } }[]
    }
    const sent = executions.map(({ item, response }) => {
      return { name: item.name, status: response?.code ?? 0 }
    })
    await expectAll('v3', sent)
  })

  it("runs in Bruno's runner, and every request succeeds", async () => {
    const [collection, report] = [join(folder, 'operator'), join(folder, 'bruno.json')]
    const written = await runPavilion(
      ['openapi', 'operator', '--url', url, '--bruno', collection],
      {},
    )
    expect(written.code).toBe(0)
    const values = { baseUrl: url, key: market.keys.adminKey }
    await run(
      join(RUNNERS, 'bru'),
      [
        ...['run', '-r', '--env', 'local', '--reporter-json', report],
        ...Object.entries(values).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
      ],
      { cwd: collection },
    )
    const [{ results }] = JSON.parse(readFileSync(report, 'utf8')) as {
      results: { name: string; response: { status: number } }[]
    }[]
    const sent = results.map(({ name, response }) => ({ name, status: response.status }))
    await expectAll('operator', sent)
  })
})
