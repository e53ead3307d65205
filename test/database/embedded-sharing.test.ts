import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ensureDatabase, openEmbedded } from '../../src/database/embedded/embedded.ts'
import { machineMemory, memorySettings } from '../../src/database/embedded/memory.ts'
import {
  addressOf,
  openWithDatabase,
  postmasterOf,
  processesIn,
  query,
  removeSeed,
  startProcess,
  temporaryFolder,
  usedFolder,
} from '../support/embedded.ts'

afterAll(removeSeed)

/** What a machine with this many bytes gives to PostgreSQL, in megabytes. */
function megabytesOf(bytes: number): { buffers: number; cache: number } {
  const { shared_buffers, effective_cache_size } = memorySettings(bytes)
  return {
    buffers: Number.parseInt(shared_buffers, 10),
    cache: Number.parseInt(effective_cache_size, 10),
  }
}

describe('the memory of the machine', () => {
  const GIGABYTE = 1024 ** 3

  it('gives PostgreSQL an eighth, and lets it plan with half', () => {
    expect(megabytesOf(2 * GIGABYTE)).toEqual({ buffers: 256, cache: 1024 })
    expect(megabytesOf(24 * GIGABYTE)).toEqual({ buffers: 3072, cache: 12_288 })
  })

  it('gives it neither too little to work nor more than the stones need', () => {
    expect(megabytesOf(GIGABYTE / 4)).toEqual({ buffers: 128, cache: 256 })
    expect(megabytesOf(256 * GIGABYTE)).toEqual({ buffers: 4096, cache: 131_072 })
  })
})

describe('a fresh data folder', () => {
  it('gets a server for a role without superuser rights, and no process is left on close', async () => {
    const folder = await temporaryFolder()
    const embedded = await openEmbedded({ dataFolder: folder, serve: true })
    expect(embedded.isUp()).toBe(true)
    await Promise.all([1, 2, 3].map(() => ensureDatabase(embedded, 'pavilion')))
    const [row] = await query(
      embedded.urlOf('pavilion'),
      `select version() as version, rolsuper, rolcreatedb, current_setting('fsync') as fsync,
         current_setting('TimeZone') as zone, pg_encoding_to_char(encoding) as encoding,
         lower('ÄÉ') as lower, pg_get_userbyid(datdba) as owner,
         pg_size_bytes(current_setting('shared_buffers')) as buffers
       from pg_roles, pg_database where rolname = current_user and datname = 'pavilion'`,
    )
    expect(row).toMatchObject({
      version: expect.stringContaining('PostgreSQL 18'),
      rolsuper: false,
      rolcreatedb: true,
      fsync: 'on',
      zone: 'UTC',
      encoding: 'UTF8',
      lower: 'äé',
      owner: 'pavilion',
      buffers: String(megabytesOf(machineMemory()).buffers * 1024 * 1024),
    })
    await embedded.close()
    expect(embedded.isUp()).toBe(false)
    expect(await processesIn(folder)).toEqual([])
  })

  it('keeps its password private, and refuses connections without it', async () => {
    const folder = await usedFolder()
    const embedded = await openEmbedded({ dataFolder: folder, serve: false })
    expect((await stat(join(folder, 'postgres.password'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'postgres.log'))).mode & 0o777).toBe(0o600)
    const wrong = new URL(embedded.urlOf('postgres'))
    wrong.password = 'guessed'
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
    wrong.username = 'postgres'
    wrong.password = new URL(embedded.urlOf('postgres')).password
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
    await embedded.close()
  })

  it('keeps its rows and its password from one start to the next', async () => {
    const folder = await usedFolder()
    const first = await openWithDatabase({ dataFolder: folder, serve: false })
    await query(first.url, 'create table kept as select 42 as n')
    await first.close()
    const second = await openWithDatabase({ dataFolder: folder, serve: false })
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 42 }])
    await second.close()
  })
})

describe('two data folders side by side', () => {
  it('have servers of their own on different ports', async () => {
    const folders = [await usedFolder(), await usedFolder()]
    const both = await Promise.all(
      folders.map((dataFolder) => openEmbedded({ dataFolder, serve: true })),
    )
    const ports = both.map((embedded) => new URL(embedded.urlOf('postgres')).port)
    expect(new Set(ports).size).toBe(2)
    await both[0]!.close()
    expect(await query(both[1]!.urlOf('postgres'), 'select 1 as n')).toEqual([{ n: 1 }])
    await both[1]!.close()
  })
})

describe('several processes on one data folder', () => {
  it('refuses a second one that serves, names the first, and does not disturb it', async () => {
    const folder = await usedFolder()
    const first = startProcess(folder, 'serve')
    const url = await addressOf(first)
    const second = startProcess(folder, 'serve')
    const { failed } = await second.firstLine
    expect(failed).toContain(`Pavilion already runs on ${folder} (process ${first.pid})`)
    expect(await second.close()).toBe(1)
    expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }])
    expect(JSON.parse(await readFile(join(folder, 'server.json'), 'utf8'))).toEqual({
      port: Number(new URL(url).port),
      postmaster_pid: await postmasterOf(folder),
      serving_pid: first.pid,
    })
    expect(await first.close()).toBe(0)
    expect(await processesIn(folder)).toEqual([])
  })

  it('lets a command use the server of the one that serves, and leaves it running', async () => {
    const folder = await usedFolder()
    const server = startProcess(folder, 'serve')
    const url = await addressOf(server)
    const command = await openEmbedded({ dataFolder: folder, serve: false })
    expect(command.urlOf('pavilion')).toBe(url)
    await command.close()
    expect(await query(url, 'select 1 as n')).toEqual([{ n: 1 }])
    await server.close()
    expect(await processesIn(folder)).toEqual([])
  })

  it('leaves the server to the command when the one that serves ends first', async () => {
    const folder = await usedFolder()
    const server = startProcess(folder, 'serve')
    await addressOf(server)
    const command = await openEmbedded({ dataFolder: folder, serve: false })
    expect(await server.close()).toBe(0)
    expect(await query(command.urlOf('postgres'), 'select 1 as n')).toEqual([{ n: 1 }])
    await command.close()
    expect(await processesIn(folder)).toEqual([])
  })

  it('lets two commands that start at once in a fresh folder share one server', async () => {
    const folder = await temporaryFolder()
    const commands = [1, 2].map(() => startProcess(folder, 'command'))
    const urls = await Promise.all(commands.map(addressOf))
    expect(new Set(urls).size).toBe(1)
    expect(await Promise.all(commands.map((command) => command.close()))).toEqual([0, 0])
    expect(await processesIn(folder)).toEqual([])
  })

  it('starts the server again for a command that starts while the last one stops it', async () => {
    const folder = await usedFolder()
    for (let round = 0; round < 8; round++) {
      const leaving = await openEmbedded({ dataFolder: folder, serve: false })
      const [, coming] = await Promise.all([
        leaving.close(),
        openEmbedded({ dataFolder: folder, serve: false }),
      ])
      expect(await query(coming.urlOf('postgres'), 'select 1 as n')).toEqual([{ n: 1 }])
      await coming.close()
    }
    expect(await processesIn(folder)).toEqual([])
  })
})
