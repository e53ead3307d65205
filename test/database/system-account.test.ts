import { execFileSync } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findSystemAccount } from '../../src/database/embedded/system-account.ts'
import { addressOf, isRoot, query, startProcess, temporaryFolder } from '../support/embedded.ts'

const NAME = 'pavilion-test'
const NOBODY = 65_534
const NEW = `PostgreSQL runs with the account "${NAME}", which Pavilion has created for it.`
const KNOWN = `PostgreSQL runs with the account "${NAME}".`

/** Runs a program with its own copy of /etc, so that the test changes no account of the machine. */
const OWN_ETC = 'mount --bind "$1" /etc && shift && exec "$@"'
const inOwnEtc = (etc: string) => ['unshare', '--mount', 'sh', '-c', OWN_ETC, 'sh', etc]

function canCreateAccounts(): boolean {
  if (!isRoot) return false
  try {
    execFileSync('sh', ['-c', 'command -v useradd'], { stdio: 'ignore' })
    execFileSync('unshare', ['--mount', 'mount', '--bind', '/etc', '/etc'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function copyOfEtc(): Promise<string> {
  const etc = join(await temporaryFolder(), 'etc')
  execFileSync('cp', ['-a', '/etc', etc])
  return etc
}

async function start(folder: string, wrapper: string[], accountName = NAME) {
  const server = startProcess(folder, 'serve', { wrapper, accountName })
  expect(await query(await addressOf(server), 'select 1 as n')).toEqual([{ n: 1 }])
  const details = server.lines.map(({ detail }) => detail)
  expect(await server.close()).toBe(0)
  return { details, owner: (await stat(join(folder, 'postgres'))).uid }
}

describe.skipIf(!canCreateAccounts())('root (skipped without useradd and mount)', () => {
  it('creates an account for PostgreSQL, says so, and uses it again', async () => {
    const folder = await temporaryFolder()
    const etc = await copyOfEtc()
    const first = await start(folder, inOwnEtc(etc))
    expect(first.details).toContain(NEW)
    expect([0, NOBODY]).not.toContain(first.owner)
    const entry = execFileSync('grep', [`^${NAME}:`, join(etc, 'passwd')], { encoding: 'utf8' })
    expect(entry).toContain(`:${first.owner}:`)
    expect(entry).toContain(':/nonexistent:/usr/sbin/nologin')
    expect(await findSystemAccount(NAME)).toBeUndefined()
    const other = await temporaryFolder()
    expect(await start(other, inOwnEtc(etc))).toMatchObject({ owner: first.owner })
    expect((await start(await temporaryFolder(), inOwnEtc(etc))).details).toContain(KNOWN)
  })

  it('leaves a cluster with the account that had it before', async () => {
    const folder = await temporaryFolder()
    const before = await start(folder, [], 'nobody')
    expect(before.owner).toBe(NOBODY)
    const after = await start(folder, inOwnEtc(await copyOfEtc()))
    expect(after.owner).toBe(NOBODY)
    expect(after.details.join('\n')).toMatch(/PostgreSQL runs as user 65534, who owns .*postgres\./)
  })

  it('starts as "nobody" where no account can be created', async () => {
    const folder = await temporaryFolder()
    const etc = await copyOfEtc()
    const readOnly = 'mount --bind -o ro "$1" /etc && shift && exec "$@"'
    const wrapper = ['unshare', '--mount', 'sh', '-c', readOnly, 'sh', etc]
    const { details, owner } = await start(folder, wrapper)
    expect(owner).toBe(NOBODY)
    expect(details).toContain(`PostgreSQL runs as "nobody": no account "${NAME}" can be used.`)
  })
})
