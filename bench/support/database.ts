import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureDatabase, openEmbedded } from '../../src/database/embedded/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { openDatabase } from '../../src/database/open.ts'
import { buildWhenStale } from './built.ts'

/** Runs the work on a migrated database of a new embedded server, and removes both after it. */
export async function withBenchDatabase(work: (url: string) => Promise<void>): Promise<void> {
  buildWhenStale()
  const folder = await mkdtemp(join(tmpdir(), 'pavilion-bench-'))
  // PostgreSQL started by root runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o711)
  const embedded = await openEmbedded({ dataFolder: folder, serve: false })
  try {
    await ensureDatabase(embedded, 'bench')
    const url = embedded.urlOf('bench')
    const database = openDatabase({ url, poolMax: 2 })
    await migrate(database.db)
    await database.close()
    await work(url)
  } finally {
    await embedded.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
