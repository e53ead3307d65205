import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { readArchiveStatus } from '../../../src/database/backup/backup-status.ts'
import { ensureDatabase, openEmbedded } from '../../../src/database/embedded/embedded.ts'
import { openDatabase } from '../../../src/database/open.ts'

it('says which file of its log PostgreSQL cannot archive, and nothing where it does not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pavilion-archiver-'))
  await chmod(folder, 0o711)
  const statusWith = async (settings: Record<string, string>) => {
    const embedded = await openEmbedded({ dataFolder: folder, serve: false, settings })
    await ensureDatabase(embedded, 'market')
    const database = openDatabase({ url: embedded.urlOf('market'), poolMax: 1 })
    // PostgreSQL archives a log in which something was written.
    await sql`create table if not exists written (on_day date)`.execute(database.db)
    await sql`insert into written values ('2026-11-17')`.execute(database.db)
    const read = () => readArchiveStatus(database.db)
    const close = async () => {
      await database.close()
      await embedded.close()
    }
    return { read, close }
  }
  try {
    const without = await statusWith({})
    expect(await without.read()).toBeUndefined()
    await without.close()
    // It ends a file of its log when it stops, and tries to archive it at every start.
    await (await statusWith({ archive_mode: 'on', archive_command: 'false' })).close()
    const failing = await statusWith({ archive_mode: 'on', archive_command: 'false' })
    const file = async () => (await failing.read())?.failing ?? 'none'
    await expect.poll(file, { timeout: 60_000 }).toMatch(/^[0-9A-F]{24}$/)
    expect(await failing.read()).toMatchObject({ age_seconds: null })
    await failing.close()
    const working = await statusWith({ archive_mode: 'on', archive_command: 'true' })
    const age = async () => (await working.read())?.age_seconds
    await expect.poll(age, { timeout: 60_000 }).toBeGreaterThanOrEqual(0)
    expect(await working.read()).toMatchObject({ failing: null })
    await working.close()
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}, 180_000)
