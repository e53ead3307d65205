import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type RunningServer,
  runPavilion,
  spawnPavilion,
  startPavilion,
} from '../support/command-line.ts'

/** The server as a newcomer starts it: embedded PostgreSQL, both markets, demo keys. */
let folder: string
let settings: Record<string, string>
/** What the very first start prints, which is stopped when it has made production. */
let stopped: string
let server: RunningServer
/** What a connection that never finishes its headers receives; it waits while other tests run. */
let trickled: Promise<string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pavilion-server-'))
  chmodSync(folder, 0o711)
  settings = { PAVILION_DATA: folder, HOST: '127.0.0.1' }
  stopped = await stopOnceMade(join(folder, 'demo-keys.json'))
  server = await startPavilion({ ...settings, PUBLIC_URL: 'http://gems.example' })
  trickled = trickle(Number(new URL(server.address).port))
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Starts a server, stops it as soon as the file is there, and returns what it has printed. */
async function stopOnceMade(file: string): Promise<string> {
  const ports = { PORT: '0', SANDBOX_PORT: '0' }
  const child = spawnPavilion(['start'], { ...settings, ...ports })
  const exited = once(child, 'exit')
  const printed = text(child.stdout as Readable)
  while (!existsSync(file) && child.exitCode === null) await sleep(50)
  child.kill('SIGTERM')
  expect((await exited)[0]).toBe(0)
  return printed
}

function trickle(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n')
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
  })
}

function keyOf(kind: 'merchant' | 'admin', realm: 'live' | 'test'): string {
  const match = new RegExp(`${kind} key +(pav_${realm}_\\w+)`).exec(server.output())
  return match?.[1] ?? ''
}

function call(address: string, token: string, path: string): Promise<Response> {
  return fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } })
}

const ATTRIBUTES = '/api/v3/defaults/gem_attributes'

describe('a first start', () => {
  it('that is stopped early leaves its keys for the next one, which forgets them', async () => {
    expect(stopped).not.toContain('pav_live_')
    expect(keyOf('merchant', 'live')).not.toBe('')
    expect(server.output()).toContain('Open it in a browser')
    await expect.poll(() => existsSync(join(folder, 'demo-keys.json'))).toBe(false)
  })

  it('tells of each demo market before it is made', () => {
    expect(stopped).toContain('Making the demo market of production, which takes some seconds.')
    expect(server.output()).toContain('Making the demo market of the sandbox')
  })

  it('finds a port that is taken before it makes a market', async () => {
    const other = join(folder, 'other')
    const { port } = new URL(server.address)
    const taken = { PAVILION_DATA: other, PORT: '0', SANDBOX_PORT: port }
    const { code, stderr } = await runPavilion(['start'], taken)
    expect(code).toBe(1)
    expect(stderr).toContain(`Port ${port} is in use by another program; set SANDBOX_PORT`)
    const { stderr: none } = await runPavilion(['merchant', 'list'], taken)
    expect(none).toContain('There is no market')
  })

  it('prints keys that work, each in its own market only', async () => {
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

  it('prints a curl command with a key and an address that work', async () => {
    const [, token, url] = /curl -H "Authorization: Bearer (\S+)" (\S+)/.exec(server.output()) ?? []
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    expect(response.status).toBe(200)
  })

  it('gives the merchant addresses, its own margins and templates in two groups', async () => {
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
  it('the command line uses the same market, and a revocation takes effect in the server', async () => {
    const created = await runPavilion(['token', 'create', '--type', 'admin', '--json'], settings)
    const { uuid, token } = JSON.parse(created.stdout)
    expect((await call(server.address, token, ATTRIBUTES)).status).toBe(200)
    await runPavilion(['token', 'revoke', uuid], settings)
    await expect
      .poll(async () => (await call(server.address, token, ATTRIBUTES)).status, { timeout: 30_000 })
      .toBe(401)
  })

  it('the command line prints links to that server, unless it is given another address', async () => {
    const linkOf = async (args: string[] = [], told: Record<string, string> = {}) => {
      const command = ['console', '--json', ...args]
      const { stdout } = await runPavilion(command, { PAVILION_DATA: folder, ...told })
      return JSON.parse(stdout).url.split('/sign-in#')[0]
    }
    expect(await linkOf()).toBe('http://gems.example')
    expect(await linkOf(['--sandbox'], { PORT: '8123' })).toBe(server.sandboxAddress)
    expect(await linkOf([], { PORT: '8123' })).toBe('http://127.0.0.1:8123')
  })

  it('a second start with the same folder is refused with the reason', async () => {
    const { code, stderr } = await runPavilion(['start'], {
      ...settings,
      PORT: '0',
      SANDBOX_PORT: '0',
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/already runs/)
  })
})

describe('a slow client', () => {
  it('cannot keep a connection open by never finishing its headers', async () => {
    const returned = await trickled
    expect(returned).toMatch(/^(HTTP\/1\.1 408|$)/)
  })
})

describe('stopping the server', () => {
  it('lets running requests finish, and exits with 0', async () => {
    // The server has the request, and its body arrives after the signal.
    const { port } = new URL(server.address)
    const body = JSON.stringify({ email: 'late@shop.example', legal_dba: 'X', country_code: 'US' })
    const response = new Promise<number | undefined>((resolve, reject) => {
      const late = request(
        {
          port,
          method: 'POST',
          path: '/api/operator/merchants',
          headers: {
            authorization: `Bearer ${keyOf('admin', 'live')}`,
            'content-type': 'application/json',
            'content-length': String(body.length),
            expect: '100-continue',
          },
        },
        (response) => resolve(response.statusCode),
      )
      late.on('error', reject)
      late.write(body.slice(0, 10))
      late.once('continue', () => {
        server.child.kill('SIGTERM')
        setTimeout(() => late.end(body.slice(10)), 500)
      })
    })
    expect(await response).toBe(201)
    expect(await server.exited).toBe(0)
    server = await startPavilion(settings)
    expect(server.output()).not.toMatch(/merchant key|demo market/)
  })
})

describe('several workers', () => {
  it('share one port, add up their metrics, and are replaced when they die', async () => {
    await server.stop()
    const limited = {
      ...settings,
      ANONYMOUS_LIMIT_PER_MINUTE: '60',
      METRICS_PORT: '0',
      PAVILION_DEMO: 'off',
    }
    server = await startPavilion(limited, ['--workers', '2'])
    const created = await runPavilion(['token', 'create', '--type', 'admin', '--json'], settings)
    const { token } = JSON.parse(created.stdout)
    const pids = new Set<number>()
    const seePids = async () => {
      // A connection that was just given to the killed process never gets a response.
      const signal = AbortSignal.timeout(2_000)
      const headers = { connection: 'close' }
      const response = await fetch(`${server.address}/healthz`, { headers, signal })
      pids.add(((await response.json()) as { pid: number }).pid)
      return pids.size
    }
    await expect.poll(seePids, { interval: 20 }).toBe(2)
    for (let count = 0; count < 20; count++) {
      expect((await call(server.address, token, ATTRIBUTES)).status).toBe(200)
    }
    expect((await fetch(`${server.address}/metrics`)).status).toBe(403)
    const [, metricsUrl = ''] = /metrics\s+(\S+)/.exec(server.output()) ?? []
    const text = await (await fetch(metricsUrl)).text()
    const counted =
      /duration_seconds_count\{[^}]*route="\/api\/v3\/defaults\/gem_attributes",status="200"\} (\d+)/
    expect(Number(counted.exec(text)?.[1])).toBe(20)
    // What all processes have in common is not added up.
    expect(text).toMatch(/^pavilion_build_info\{.*\} 1$/m)
    expect(text).toMatch(/^pavilion_index_ready [01]$/m)
    const bytes = (name: string) =>
      Number(
        new RegExp(`^pavilion_disk_${name}_bytes\\{folder="temp"\\} (\\S+)$`, 'm').exec(text)?.[1],
      )
    const { blocks, bsize } = await statfs(tmpdir())
    expect(bytes('size')).toBe(blocks * bsize)
    const clock = /^pavilion_clock_difference_seconds (\S+)$/m.exec(text)?.[1]
    expect(Math.abs(Number(clock))).toBeLessThan(60)
    const ready = new URL('/sandbox/readyz', metricsUrl)
    expect(((await (await fetch(ready)).json()) as { checks: object }).checks).toBeDefined()
    process.kill([...pids][0], 'SIGKILL')
    await expect.poll(seePids, { interval: 50 }).toBe(3)
    expect((await call(server.address, token, ATTRIBUTES)).status).toBe(200)
  })

  it('count the calls of an address together', async () => {
    // Each connection stays with the worker that accepted it.
    const connections = new Map<number, Agent>()
    while (connections.size < 2) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const { text } = await get(agent, '/healthz')
      connections.set(JSON.parse(text).pid, agent)
    }
    const [one, other] = [...connections.values()]
    const isToldToTheOther = async () => {
      while ((await get(one, '/nowhere')).status !== 429);
      await sleep(1_500)
      return (await get(other, '/nowhere')).status === 429
    }
    // Again when a new minute began in between.
    await expect.poll(isToldToTheOther).toBe(true)
    for (const agent of connections.values()) agent.destroy()
  })
})

function get(agent: Agent, path: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.address}${path}`, { agent }, (response) => {
      const status = response.statusCode
      text(response).then((body) => resolve({ status, text: body }), reject)
    })
    sent.on('error', reject).end()
  })
}
