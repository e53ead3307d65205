import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { runPavilion } from '../support/command-line.ts'
import { emptyDatabase } from '../support/database.ts'

it('resets the sandbox only when told to, keeps its keys, and has fresh statistics', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pavilion-sandbox-'))
  const [live, test] = [await emptyDatabase(), await emptyDatabase()]
  const settings = {
    DATABASE_URL: live.url,
    SANDBOX_DATABASE_URL: test.url,
    PAVILION_DATA: join(folder, 'data'),
    PAVILION_DEMO: 'off',
  }
  const run = async (...args: string[]) => {
    const { code, stdout } = await runPavilion([...args, '--json'], settings, folder)
    return { code, ...JSON.parse(stdout) }
  }
  try {
    const filled = await runPavilion(['demo', '--sandbox', '--stones', '200'], settings, folder)
    expect(filled.code, filled.stderr).toBe(0)
    // The market is new, and so is its key.
    const keyFile = join(folder, 'data', 'secret.key')
    expect(filled.stderr).toContain(`Created the key of stored secrets in ${keyFile}`)
    expect(existsSync(keyFile)).toBe(true)
    const database = openDatabase({ url: test.url, poolMax: 1 })
    const { rows } = await sql<{ relname: string }>`
      select relname from pg_class where relkind = 'r' and reltuples < 0
        and relnamespace = current_schema()::regnamespace`.execute(database.db)
    await database.close()
    expect(rows).toEqual([])
    const { uuid } = await run('token', 'create', '--type', 'admin', '--sandbox')
    const refused = await run('sandbox', 'reset')
    expect(refused).toMatchObject({ code: 1, error: { code: 'confirmation_missing' } })
    expect(refused.error.detail).toContain('--yes')
    const wrong = 'DATABASE_URL leads to the database of a sandbox, not of production'
    const swapped = { DATABASE_URL: test.url, SANDBOX_DATABASE_URL: live.url }
    for (const args of [['start'], ['migrate'], ['merchant', 'list']]) {
      const other = await runPavilion([...args, '--json'], { ...settings, ...swapped }, folder)
      const { code, detail } = JSON.parse(other.stdout).error
      expect([other.code, code, detail.slice(0, wrong.length)]).toEqual([1, 'wrong_market', wrong])
    }
    const doctor = await runPavilion(['doctor'], { ...settings, ...swapped }, folder)
    expect(doctor.stdout).toContain(`FAIL  market: ${wrong}`)
    const reset = await run('sandbox', 'reset', '--yes')
    expect(reset).toEqual({ code: 0, diamonds: 0 })
    const listed = await runPavilion(['token', 'list', '--sandbox', '--json'], settings, folder)
    expect(JSON.parse(listed.stdout).map((token: { uuid: string }) => token.uuid)).toContain(uuid)
  } finally {
    await live.drop()
    await test.drop()
    rmSync(folder, { recursive: true })
  }
}, 240_000)
