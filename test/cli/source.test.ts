import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvOf, stones } from '../feeds/import-support.ts'
import { openWebServer, type WebServer } from '../feeds/sources/web-server.ts'
import { runPavilion } from '../support/command-line.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database.ts'
import { TEST_SECRET_KEY } from '../support/secrets.ts'

let clone: ClonedDatabase
let folder: string
let web: WebServer
beforeAll(async () => {
  clone = await cloneDatabase()
  folder = mkdtempSync(join(tmpdir(), 'pavilion-source-'))
  web = await openWebServer(csvOf(stones(5)))
})
afterAll(async () => {
  await clone.drop()
  rmSync(folder, { recursive: true })
  await web.close()
})

const run = (...args: string[]) =>
  runPavilion(
    ['source', ...args],
    {
      DATABASE_URL: clone.url,
      PAVILION_SECRET_KEY: TEST_SECRET_KEY,
      SOURCE_ALLOWED_HOSTS: `127.0.0.1:${web.port}`,
    },
    folder,
  )

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect(stderr).toBe('')
  return { code, result: JSON.parse(stdout) }
}

describe('pavilion source', () => {
  it('adds, runs, shows, changes, pauses, resumes and removes a file of this machine', async () => {
    writeFileSync(join(folder, 'stock-1.csv'), csvOf(stones(8)))
    const added = await json('add', '--supplier', 'Gems Ltd', '--url', '*.csv', '--every', '1m')
    expect(added.result).toMatchObject({ every: '1m', mode: 'update', state: 'active' })
    expect(added.result.url).toMatch(/^file:\/\/.*\/\*\.csv$/)
    const { uuid } = added.result
    const first = await json('run', uuid)
    expect(first).toMatchObject({ code: 0, result: { outcome: 'done', added: 8 } })
    const second = await run('run', uuid)
    expect(second.stdout).toContain('Unchanged: stock-1.csv')
    expect((await json('set', uuid, '--mode', 'replace')).result.mode).toBe('replace')
    writeFileSync(join(folder, 'stock-2.csv'), csvOf(stones(2)))
    const refused = await run('run', uuid)
    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain('would remove 6 of 8 stones')
    expect(refused.stdout).toContain(`"pavilion source run ${uuid} --max-removed 100%"`)
    expect((await run('list')).stdout).toContain(`${uuid} failed: The file would remove 6 of 8`)
    const shown = await run('show', uuid)
    expect(shown.stdout).toMatch(/State\s+failing/)
    expect(shown.stdout).toContain('The last run failed: The file would remove 6 of 8 stones')
    const settled = await json('run', uuid, '--max-removed', '100%')
    expect(settled.result).toMatchObject({ outcome: 'done', removed: 6 })
    expect((await json('pause', uuid)).result.state).toBe('paused')
    expect((await json('resume', uuid)).result.state).toBe('active')
    expect((await run('list')).stdout).toContain(uuid)
    expect((await run('remove', uuid)).stdout).toContain('Its stones stay.')
    expect((await run('show', uuid)).code).toBe(1)
  })

  it('reads the password from a file, and prints it nowhere', async () => {
    writeFileSync(join(folder, 'password.txt'), 'opensesame-4711\n')
    const access = ['--user', 'pavilion', '--password-file', 'password.txt']
    const url = ['--url', `${web.url}/stock.csv`]
    const { result, code } = await json('add', '--supplier', 'Web Ltd', ...url, ...access)
    expect(code).toBe(0)
    expect(result).toMatchObject({ user: 'pavilion', has_password: true })
    expect(JSON.stringify(result)).not.toContain('opensesame')
    expect((await json('run', result.uuid)).result).toMatchObject({ outcome: 'done', added: 5 })
    const sent = Buffer.from('pavilion:opensesame-4711').toString('base64')
    expect(web.requests[0].headers.authorization).toBe(`Basic ${sent}`)
    expect((await run('show', result.uuid)).stdout).toContain('pavilion with a password')
  })

  it('refuses what cannot be', async () => {
    const add = ['add', '--supplier', 'Gems Ltd']
    expect((await run(...add, '--url', 'a.csv', '--every', '10s')).code).toBe(2)
    expect((await run(...add)).code).toBe(2)
    const missing = await run(...add, '--url', 'ftp://s.example/a.csv', '--password-file', 'none')
    expect(missing.code).toBe(1)
    expect(missing.stderr).toContain('Cannot read the password file')
    const keyless = await run(...add, '--url', 'sftp://s.example/a.csv', '--user', 'pavilion')
    expect(keyless.code).toBe(1)
    expect(keyless.stderr).toContain('password or key must be given for sftp')
  })
})
