import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildProgram } from '../../src/cli/main.ts'
import { runPavilion, spawnPavilion } from '../support/command-line.ts'
import { type ClonedDatabase, cloneDatabase, emptyDatabase } from '../support/database.ts'

let clone: ClonedDatabase
let settings: Record<string, string>
let folder: string

beforeAll(async () => {
  clone = await cloneDatabase()
  settings = { DATABASE_URL: clone.url }
  folder = mkdtempSync(join(tmpdir(), 'pavilion-cli-'))
  await run('--version')
})
afterAll(async () => {
  await clone.drop()
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) => runPavilion(args, settings, folder)
const CREATE = ['merchant', 'create', '--legal-dba', 'Shop', '--country', 'US'] as const

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

describe('the command line', () => {
  it('creates a merchant, its settings and its token', async () => {
    await json('fx', 'set', 'EUR', '0.92')
    const merchant = await json(...CREATE, '--email', 'one@shop.example', '--currency', 'eur')
    expect(merchant).toMatchObject({ uuid: expect.any(String), currency_code: 'EUR' })
    const of = ['--merchant', 'ONE@shop.example']
    const margins = await json(
      'margin',
      'set',
      ...of,
      '--tier',
      '0-0.75:35/50',
      '--tier',
      '1-2:3/4',
    )
    expect(margins).toHaveLength(2)
    expect(await json('margin', 'list', ...of)).toEqual(margins)
    const destination = ['--name', 'N', '--address-1', 'A', '--city', 'C', '--postal-code', '1']
    const address = await json(
      'address',
      'add',
      ...of,
      ...destination,
      '--country',
      'US',
      '--default',
    )
    expect((await json('address', 'list', ...of))[0].uuid).toBe(address.uuid)
    const make = ['--group', 'G', '--label', 'L', '--color', 'F', '--clarity', 'VS1']
    await json('template', 'add', ...of, ...make, '--grade', 'very good')
    expect(await json('template', 'list', ...of)).toHaveLength(4)
    const token = await json('token', 'create', ...of, '--type', 'api_key', '--expires', '90d')
    expect(token.token).toMatch(/^pav_live_/)
    const revoked = await json('token', 'revoke', token.uuid)
    expect(revoked.revoked_on).not.toBeNull()
    const listed = await json('token', 'list', ...of)
    expect(listed).toHaveLength(1)
    expect(JSON.stringify(listed)).not.toContain(token.token)
  })

  it('sets the rate limit of a merchant', async () => {
    await json(...CREATE, '--email', 'limited@shop.example')
    const set = (limit: string) =>
      json('merchant', 'set', 'limited@shop.example', '--rate-limit', limit)
    expect((await set('20000')).rate_limit_per_minute).toBe(20_000)
    expect((await set('default')).rate_limit_per_minute).toBeNull()
    const bad = ['merchant', 'set', 'limited@shop.example', '--rate-limit', 'many']
    expect((await run(...bad)).code).toBe(2)
  })

  it('rotates a token with an overlap, and keeps its limits and addresses', async () => {
    await json(...CREATE, '--email', 'three@shop.example')
    const of = ['--merchant', 'three@shop.example']
    const kind = ['--type', 'api_key', '--scope', 'search', '--rate-limit', '60', '--name', 'till']
    const addresses = ['--allowed-address', '203.0.113.7', '2001:db8::/32']
    const old = await json('token', 'create', ...of, ...kind, ...addresses)
    const { token, uuid } = await json('token', 'rotate', old.uuid, '--overlap', '2h')
    expect(token).not.toBe(old.token)
    const [before, after] = await json('token', 'list', ...of)
    expect(after).toMatchObject({
      uuid,
      name: 'till',
      scopes: ['search'],
      rate_limit_per_minute: 60,
      expires_on: null,
      allowed_addresses: ['203.0.113.7', '2001:db8::/32'],
    })
    const hours = (Date.parse(before.expires_on) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(1.9)
    expect(hours).toBeLessThanOrEqual(2)
    expect((await run('token', 'rotate', uuid, '--overlap', '31d')).code).toBe(2)
    await json('token', 'rotate', uuid, '--overlap', '0')
    expect((await run('token', 'rotate', uuid)).stderr).toContain('cannot be rotated')
    const bad = await run('token', 'create', ...of, '--type', 'api_key', '--allowed-address', 'x')
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('must be an address')])
  })

  it('turns API access off and on', async () => {
    await json(...CREATE, '--email', 'two@shop.example', '--no-api', '--test')
    const off = await json('merchant', 'disable', 'two@shop.example')
    const on = await json('merchant', 'enable', 'two@shop.example')
    expect([off.api_enabled, on.api_enabled, on.test]).toEqual([false, true, true])
  })

  it('sets the limits of a merchant, and shows how much of them is in use', async () => {
    await json(...CREATE, '--email', 'four@shop.example')
    const set = ['merchant', 'set', 'four@shop.example']
    const changed = await json(...set, '--max-holds', '7', '--max-memo-value', '1000')
    expect(changed.limits).toMatchObject({ max_holds: 7, max_memo_value: 1000, max_keys: 50 })
    await json('token', 'create', '--merchant', 'four@shop.example', '--type', 'api_key')
    const reset = await json(...set, '--max-holds', 'default', '--max-keys', '1')
    expect(reset).toMatchObject({ limits: { max_holds: 50, max_keys: 1 }, usage: { keys: 1 } })
    expect(await json('merchant', 'show', 'four@shop.example')).toEqual(reset)
    const { stdout } = await run('merchant', 'show', 'four@shop.example')
    expect(stdout).toMatch(/max-memo-value +1000 +0 +2000000000/)
    for (const wrong of [['--max-hold-hours', '0'], ['--max-keys', 'many'], []]) {
      expect((await run(...set, ...wrong)).code).toBe(2)
    }
    const refused = await run('token', 'create', '--merchant', set[2], '--type', 'api_key')
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toContain(
      'limit of keys is 1; 1 are in use. Revoke one that is not in use',
    )
  })

  it('exits 1 when refused, with a message on stderr and nothing on stdout', async () => {
    const unknown = await run('merchant', 'enable', 'nobody@shop.example')
    expect(unknown).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no merchant nobody@shop.example.\n',
    })
    const overlap = await run('margin', 'set', '--merchant', 'x', '--tier', '0-1:1/1')
    expect(overlap.code).toBe(1)
  })

  it('exits 2 on wrong usage and suggests the nearest command', async () => {
    const typo = await run('merchnat', 'list')
    expect(typo.code).toBe(2)
    expect(typo.stderr).toContain('merchant')
    expect((await run('token', 'create')).code).toBe(2)
    expect((await run('margin', 'set', '--merchant', 'x', '--tier', 'all:30')).code).toBe(2)
  })

  it('ends without an error when nobody reads what it prints', async () => {
    const child = spawnPavilion(['--help'], settings, folder)
    child.stdout?.destroy()
    let stderr = ''
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    expect([await once(child, 'close'), stderr]).toEqual([[0, null], ''])
  })

  it('says that there is no sandbox when only one external database is configured', async () => {
    const { code, stderr } = await run('merchant', 'list', '--sandbox')
    expect([code, stderr]).toEqual([1, 'There is no sandbox: SANDBOX_DATABASE_URL is not set.\n'])
  })

  it('names an unknown setting, also one from .env', async () => {
    const wrong = mkdtempSync(join(tmpdir(), 'pavilion-env-'))
    try {
      writeFileSync(join(wrong, '.env'), 'PAVILION_DATTA=x\n')
      const { code, stderr } = await runPavilion(['merchant', 'list'], settings, wrong)
      expect(code).toBe(1)
      expect(stderr).toContain(
        'PAVILION_DATTA is not a setting of Pavilion; did you mean PAVILION_DATA?',
      )
    } finally {
      rmSync(wrong, { recursive: true })
    }
  })
})

describe('migrate', () => {
  it('migrates an empty database, which other commands require', async () => {
    const empty = await emptyDatabase()
    try {
      const target = { DATABASE_URL: empty.url }
      const early = await runPavilion(['merchant', 'list'], target, folder)
      expect(early.code).toBe(1)
      expect(early.stderr).toContain('There is no market in the database')
      const first = await runPavilion(['migrate', '--json'], target, folder)
      expect(JSON.parse(first.stdout).applied.length).toBeGreaterThan(1)
      const second = await runPavilion(['migrate', '--json'], target, folder)
      expect(JSON.parse(second.stdout)).toEqual({ applied: [] })
    } finally {
      await empty.drop()
    }
  })
})

describe('doctor', () => {
  it('finds a port in use and a database that does not respond', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const broken = {
      DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
      PORT: String(port),
      SANDBOX_PORT: '0',
    }
    const { code, stdout } = await runPavilion(['doctor', '--json'], broken, folder)
    other.close()
    expect(code).toBe(1)
    const { healthy, findings } = JSON.parse(stdout)
    expect(healthy).toBe(false)
    const failed = findings.filter(({ ok }: { ok: boolean }) => !ok)
    expect(failed.map(({ check }: { check: string }) => check)).toEqual(['port', 'database'])
  })

  it('creates nothing in a folder that was never used', async () => {
    const untouched = join(folder, 'nothing', 'yet')
    const fresh = { PAVILION_DATA: untouched, PORT: '0', SANDBOX_PORT: '0' }
    const { code, stdout } = await runPavilion(['doctor', '--json'], fresh, folder)
    expect([code, existsSync(untouched)]).toEqual([0, false])
    expect(JSON.parse(stdout).findings).toContainEqual({
      check: 'database',
      ok: true,
      detail: 'embedded (created by the first start)',
    })
  })

  it('finds nothing wrong before the first start on a database without a sandbox', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const empty = await emptyDatabase()
    try {
      const fresh = { DATABASE_URL: empty.url, PORT: '0', SANDBOX_PORT: String(port) }
      const { code, stdout } = await runPavilion(['doctor'], fresh, folder)
      expect(code, stdout).toBe(0)
      expect(stdout).toContain('ok    migrations: none yet; the first start makes the tables')
    } finally {
      other.close()
      await empty.drop()
    }
  })

  it('exits 0 when everything is in order', async () => {
    const healthy = { ...settings, PORT: '0', SANDBOX_PORT: '0' }
    const { code, stdout } = await runPavilion(['doctor'], healthy, folder)
    expect(code).toBe(0)
    expect(stdout).toMatch(/ok {4}clock: differs by \d+\.\d s from the clock of the database/)
  })

  it('says when the database allows fewer connections than the pools may open', async () => {
    const many = { ...settings, PORT: '0', SANDBOX_PORT: '0', DATABASE_CONNECTIONS: '1000' }
    const { code, stdout } = await runPavilion(['doctor', '--json'], many, folder)
    expect(code).toBe(1)
    const failed = JSON.parse(stdout).findings.filter(({ ok }: { ok: boolean }) => !ok)
    expect(failed).toEqual([
      {
        check: 'connections',
        ok: false,
        detail: expect.stringMatching(/allows \d+ .* may open 1\d\d\d; raise max_connections/),
      },
    ])
  })
})

describe('help', () => {
  it('shows an example for every command', async () => {
    const bare: string[] = []
    const visit = (command: Awaited<ReturnType<typeof buildProgram>>, path: string) => {
      let help = ''
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
      if (command.name() !== 'help' && !/Example:\n {2}.*pavilion /.test(help)) bare.push(path)
      for (const child of command.commands) visit(child, `${path} ${child.name()}`)
    }
    visit(await buildProgram(), 'pavilion')
    expect(bare).toEqual([])
  })

  it('loads only the command that is named', async () => {
    const names = ({ commands }: Awaited<ReturnType<typeof buildProgram>>) =>
      commands.map((each) => each.name()).filter((name) => name !== 'completion')
    const every = names(await buildProgram())
    expect(every).toContain('import')
    for (const name of every) {
      expect(names(await buildProgram([name, '--json']))).toEqual([name])
    }
    for (const first of ['--help', 'help', 'completion', 'imporrt', 'constructor']) {
      expect(names(await buildProgram([first]))).toEqual(every)
    }
  })

  it.each(['bash', 'zsh', 'fish'])(
    'completes commands in %s',
    async (shell) => {
      const { code, stdout } = await run('completion', shell)
      expect(code).toBe(0)
      for (const word of ['merchant', 'revoke', 'doctor']) expect(stdout).toContain(word)
      const json = await run('completion', shell, '--json')
      expect(JSON.parse(json.stdout)).toEqual({ shell, script: stdout.trimEnd() })
    },
    60_000,
  )
})
