import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runPavilion } from '../support/command-line.ts'
import { emptyDatabase } from '../support/database.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pavilion-nothing-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** One of each kind: reading, writing, the sandbox, both markets, and those that use no `onMarket`. */
const COMMANDS = [
  ['merchant', 'list'],
  ['token', 'create', '--type', 'admin'],
  ['order', 'list'],
  ['import', 'stock.csv', '--supplier', 'Northlight'],
  ['console'],
  ['fx', 'list', '--sandbox'],
  ['sandbox', 'clock'],
  ['secret', 'status'],
  ['secret', 'rotate'],
  ['backup', 'copy'],
  ['backup', 'copies', '--every', '6h'],
  ['migrate', '--check'],
]

async function failed(args: readonly string[], settings: Record<string, string>) {
  const { code, stdout } = await runPavilion([...args, '--json'], settings, folder)
  return { exit: code, ...JSON.parse(stdout).error }
}

describe('where there is no market', () => {
  it.each(COMMANDS.map((args) => args.join(' ')))('%s says where it looked', async (line) => {
    const data = join(folder, 'data')
    expect(await failed(line.split(' '), { PAVILION_DATA: data })).toEqual({
      exit: 1,
      code: 'no_market',
      detail: expect.stringMatching(new RegExp(`^There is no (market|sandbox) in ${data}: `)),
    })
    expect([existsSync(data), readdirSync(folder)]).toEqual([false, []])
  })

  it('a person reads the same sentence on stderr', async () => {
    const { code, stdout, stderr } = await runPavilion(['merchant', 'list'], {}, folder)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`There is no market in ${join(folder, '.pavilion')}`)
  })

  it('an empty or missing database is named without its password, and "demo" fills it', async () => {
    const empty = await emptyDatabase()
    try {
      const { host, pathname } = new URL(empty.url)
      const target = { DATABASE_URL: empty.url, PAVILION_SECRET_KEY: 'k'.repeat(40) }
      const detail = `the database ${pathname.slice(1)} at ${host} (DATABASE_URL)`
      for (const args of [
        ['merchant', 'list'],
        ['backup', 'copy'],
      ]) {
        const refused = { exit: 1, code: 'no_market', detail: expect.stringContaining(detail) }
        expect(await failed(args, target)).toEqual(refused)
      }
      const absent = { DATABASE_URL: empty.url.replace(pathname, '/no_such_database') }
      const missing = await failed(['merchant', 'list'], absent)
      expect(missing).toMatchObject({ exit: 1, code: 'no_market' })
      expect(missing.detail).toContain('the database no_such_database at')
      const demo = await runPavilion(['demo', '--stones', '20', '--json'], target, folder)
      expect(JSON.parse(demo.stdout)).toMatchObject({ diamonds: 20 })
      expect(demo.code).toBe(0)
      const sandbox = await failed(['merchant', 'list', '--sandbox'], target)
      expect(sandbox).toMatchObject({ exit: 1, code: 'no_market' })
    } finally {
      await empty.drop()
    }
  }, 240_000)
})

describe('with --json', () => {
  const WRONG = ['merchnat', 'token create', 'supplier', '', 'order show', 'fx x']

  it.each(WRONG)('wrong usage is an error in JSON, too: pavilion %s', async (line) => {
    const error = await failed(line.split(' ').filter(Boolean), {})
    expect(error).toEqual({ exit: 2, code: 'wrong_usage', detail: expect.any(String) })
    expect(error.detail).not.toBe('')
  })

  it.each(['', 'merchant', 'sandbox'])(
    'says that a command is missing: pavilion %s',
    async (line) => {
      const detail = 'A command is missing; run with --help for usage.'
      const error = await failed(line.split(' ').filter(Boolean), {})
      expect(error).toEqual({ exit: 2, code: 'wrong_usage', detail })
    },
  )

  it('is understood before the name of a command, too', async () => {
    const { code, stdout } = await runPavilion(['--json', 'merchant', 'list'], {}, folder)
    expect(code).toBe(1)
    expect(JSON.parse(stdout).error.code).toBe('no_market')
  })
})

describe('commands that are about production and the sandbox together', () => {
  it.each(['start', 'doctor', 'secret rotate'])('%s refuses --sandbox', async (line) => {
    const error = await failed([...line.split(' '), '--sandbox'], {})
    const detail = "unknown option '--sandbox'"
    expect(error).toEqual({ exit: 2, code: 'wrong_usage', detail })
  })
})
