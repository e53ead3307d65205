import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { findArchive, replay } from '../../../src/cli/database/restore-at.ts'
import { readConfig } from '../../../src/config.ts'
import { copyBase } from '../../../src/database/backup/base-backup.ts'
import type { Manifest } from '../../../src/database/backup/manifest.ts'
import { pathsIn } from '../../../src/database/embedded/cluster.ts'
import { removeOldWal } from '../../../src/database/embedded/wal-archive.ts'
import {
  openWithDatabase,
  query,
  removeSeed,
  temporaryFolder,
  usedFolder,
} from '../../support/embedded.ts'

const FAST = { fsync: 'off' }

afterAll(removeSeed)

async function folderFor(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `pavilion ${name}'s `))
  // Root's PostgreSQL is another account, which must be able to enter it.
  await chmod(folder, 0o711)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it('goes back to a moment between two writes, with a copy of the files and the archived log', async () => {
  const data = await usedFolder()
  const backup = await folderFor('backup')
  const archive = join(await folderFor('archive'), '100% wal')
  const market = await openWithDatabase({
    dataFolder: data,
    serve: false,
    settings: FAST,
    walArchive: archive,
  })
  await query(market.url, 'create table sale (n int); insert into sale values (1)')
  const server = { url: market.urlOf('postgres'), paths: pathsIn(data), archive }
  const base = await copyBase(server, backup)
  await query(market.url, 'insert into sale values (2)')
  const [{ now }] = (await query(market.url, 'select clock_timestamp() as now')) as [{ now: Date }]
  // A moment is given in milliseconds, so the next write must come in a later one.
  await query(market.url, 'select pg_sleep(0.02)')
  await query(market.url, 'insert into sale values (3)')
  // PostgreSQL archives the rest of its log when it stops.
  await market.close()

  const config = readConfig({ PAVILION_ACCOUNT: 'nobody', PAVILION_WAL_ARCHIVE: archive }, data)
  const manifest = { base } as Manifest
  const before = new Date(Date.parse(base.begun_on) - 1)
  await expect(findArchive(manifest, before, config)).rejects.toThrow('use an earlier backup')
  await expect(findArchive({ ...manifest, base: null }, now, config)).rejects.toThrow(
    'was made without PAVILION_WAL_ARCHIVE',
  )
  const found = await findArchive(manifest, now, config)

  const rowsAt = async (at: Date | 'latest') => {
    const target = await temporaryFolder()
    await replay(pathsIn(target), backup, found, at, config)
    const restored = await openWithDatabase({ dataFolder: target, serve: false, settings: FAST })
    const rows = await query(restored.url, 'select n from sale order by n')
    await restored.close()
    return rows.map(({ n }) => n)
  }
  expect(await rowsAt(new Date(now.getTime() + 1))).toEqual([1, 2])
  expect(await rowsAt('latest')).toEqual([1, 2, 3])

  const files = await readdir(found.folder)
  expect(await removeOldWal(found.folder, base.first_wal)).toBeGreaterThanOrEqual(0)
  expect(await readdir(found.folder)).toContain(`${base.first_wal}.gz`)
  expect(files).toContain(`${base.first_wal}.gz`)
  await rm(join(found.folder, `${base.first_wal}.gz`))
  await expect(findArchive(manifest, now, config)).rejects.toThrow('archived log of the backup is')
}, 180_000)
