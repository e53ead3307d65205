import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { runPavilion } from '../support/command-line.ts'
import { emptyDatabase } from '../support/database.ts'
import { TEST_SECRET_KEY } from '../support/secrets.ts'

it('resets the sandbox only when told to, keeps its keys, and has fresh statistics', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pavilion-sandbox-'))
  const [live, test] = [await emptyDatabase(), await emptyDatabase()]
  const settings = {
    DATABASE_URL: live.url,
    SANDBOX_DATABASE_URL: test.url,
    PAVILION_SECRET_KEY: TEST_SECRET_KEY,
    PAVILION_DEMO: 'off',
  }
  const run = async (...args: string[]) => {
    const { code, stdout } = await runPavilion([...args, '--json'], settings, folder)
    return { code, ...JSON.parse(stdout) }
  }
  try {
    expect(await run('demo', '--sandbox', '--stones', '200')).toMatchObject({ code: 0 })
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
