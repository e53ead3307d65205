import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, runPavilion, startPavilion } from './support/command-line.ts'

/** The whole thing as a newcomer starts it: embedded PostgreSQL, both markets, demo keys. */
let folder: string
let settings: Record<string, string>
let server: RunningServer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pavilion-server-'))
  chmodSync(folder, 0o711)
  settings = { PAVILION_DATA: folder, HOST: '127.0.0.1' }
  server = await startPavilion(settings)
}, 120_000)
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}, 60_000)

function keyOf(kind: 'merchant' | 'admin', realm: 'live' | 'test'): string {
  const match = new RegExp(`${kind} key +(pav_${realm}_\\w+)`).exec(server.output())
  return match?.[1] ?? ''
}

function call(address: string, token: string, path: string): Promise<Response> {
  return fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } })
}

const ATTRIBUTES = '/api/v3/defaults/gem_attributes'

describe('a first start', () => {
  it('prints keys that work, each at its own market only', async () => {
    const { address, sandboxAddress = '' } = server
    for (const kind of ['merchant', 'admin'] as const) {
      const live = keyOf(kind, 'live')
      const test = keyOf(kind, 'test')
      expect((await call(address, live, ATTRIBUTES)).status).toBe(200)
      expect((await call(sandboxAddress, test, ATTRIBUTES)).status).toBe(200)
      expect((await call(address, test, ATTRIBUTES)).status).toBe(401)
      expect((await call(sandboxAddress, live, ATTRIBUTES)).status).toBe(401)
    }
  })

  it('prints a curl line that names the key and an address that answers', async () => {
    const [, token, url] = /curl -H "Authorization: Bearer (\S+)" (\S+)/.exec(server.output()) ?? []
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    expect(answer.status).toBe(200)
  })

  it('gives the merchant addresses, margins of its own and templates in two groups', async () => {
    const key = keyOf('merchant', 'live')
    const addresses = await (
      await call(server.address, key, '/api/v2/merchant_addresses/list')
    ).json()
    expect((addresses as { total: number }).total).toBe(3)
    const templates = (await (
      await call(server.address, key, '/api/v2/merchant_templates/list')
    ).json()) as { group: string }[]
    expect(new Set(templates.map(({ group }) => group)).size).toBeGreaterThanOrEqual(3)
  })
})

describe('beside a running server', () => {
  it('the command line works on the same market, and a revocation reaches the server', async () => {
    const created = await runPavilion(['token', 'create', '--type', 'admin', '--json'], settings)
    const { uuid, token } = JSON.parse(created.stdout)
    expect((await call(server.address, token, ATTRIBUTES)).status).toBe(200)
    await runPavilion(['token', 'revoke', uuid], settings)
    await expect
      .poll(async () => (await call(server.address, token, ATTRIBUTES)).status, { timeout: 5_000 })
      .toBe(401)
  }, 60_000)

  it('a second start on the same folder is refused with the reason', async () => {
    const { code, stderr } = await runPavilion(['start'], {
      ...settings,
      PORT: '0',
      SANDBOX_PORT: '0',
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/already runs/)
  }, 60_000)
})

describe('a client that trickles', () => {
  it('cannot keep a connection by never finishing its headers', async () => {
    const { port } = new URL(server.address)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n')
    const answered = await new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
    })
    expect(answered).toMatch(/^(HTTP\/1\.1 408|$)/)
  }, 60_000)
})

describe('a stop', () => {
  it('lets the request in flight finish, and exits 0', async () => {
    // The request is held open by its own body, which arrives after the signal.
    const { port } = new URL(server.address)
    const body = JSON.stringify({ email: 'late@shop.example', legal_dba: 'X', country_code: 'US' })
    const answer = new Promise<number | undefined>((resolve, reject) => {
      const late = request(
        {
          port,
          method: 'POST',
          path: '/api/operator/merchants',
          headers: {
            authorization: `Bearer ${keyOf('admin', 'live')}`,
            'content-type': 'application/json',
            'content-length': String(body.length),
          },
        },
        (response) => resolve(response.statusCode),
      )
      late.on('error', reject)
      late.write(body.slice(0, 10))
      setTimeout(() => server.child.kill('SIGTERM'), 300)
      setTimeout(() => late.end(body.slice(10)), 800)
    })
    expect(await answer).toBe(201)
    expect(await server.exited).toBe(0)
    server = await startPavilion(settings)
    expect(server.output()).not.toContain('merchant key')
  }, 60_000)
})
