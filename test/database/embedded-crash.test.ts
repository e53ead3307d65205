import { spawn } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { type EmbeddedEvent, openEmbedded } from '../../src/database/embedded/embedded.ts'
import { boundLog, tailOf } from '../../src/database/embedded/log-file.ts'
import { openDatabase } from '../../src/database/open.ts'
import {
  addressOf,
  copyOf,
  killAllIn,
  killAndAwait,
  openWithDatabase,
  postmasterOf,
  processesIn,
  query,
  removeSeed,
  startProcess,
  temporaryFolder,
  until,
  usedFolder,
} from '../support/embedded.ts'

afterAll(removeSeed)

describe('a serving process killed with -9', () => {
  it('leaves a server that the next start takes over, with its rows, and stops at the end', async () => {
    const folder = await usedFolder()
    const killed = startProcess(folder, 'serve')
    const url = await addressOf(killed)
    await query(url, 'create table kept as select 42 as n')
    const orphan = await postmasterOf(folder)
    await killed.kill()
    const next = await openEmbedded({ dataFolder: folder, serve: true })
    expect(await postmasterOf(folder)).toBe(orphan)
    expect(await query(next.urlOf('pavilion'), 'select n from kept')).toEqual([{ n: 42 }])
    await next.close()
    expect(await processesIn(folder)).toEqual([])
  })

  it('watches a server that was taken over like its own', async () => {
    const folder = await usedFolder()
    const killed = startProcess(folder, 'command')
    await addressOf(killed)
    await killed.kill()
    const next = await openEmbedded({ dataFolder: folder, serve: true })
    await killAndAwait(folder, next)
    expect(await query(next.urlOf('postgres'), 'select 1 as n')).toEqual([{ n: 1 }])
    await next.close()
    expect(await processesIn(folder)).toEqual([])
  })

  it('leaves nothing harmful when it was creating the cluster', async () => {
    const folder = await temporaryFolder()
    for (const file of ['postgres.new-', 'PG_VERSION', 'pg_hba.conf']) {
      const killed = startProcess(folder, 'serve')
      await until(() => isBelow(folder, file))
      await killed.kill()
    }
    const next = await openEmbedded({ dataFolder: folder, serve: true })
    expect(await query(next.urlOf('postgres'), 'select 1 as n')).toEqual([{ n: 1 }])
    await next.close()
    const left = await readdir(folder)
    expect(left.filter((name) => name.startsWith('postgres.new-'))).toEqual([])
  })
})

describe('a postmaster killed with -9', () => {
  it('is restarted under load on the same address with every acknowledged row', async () => {
    const folder = await usedFolder()
    const events: EmbeddedEvent['kind'][] = []
    const onEvent = ({ kind }: EmbeddedEvent) => events.push(kind)
    const embedded = await openWithDatabase({ dataFolder: folder, serve: true, onEvent })
    const database = openDatabase({ url: embedded.url, poolMax: 8 })
    await sql`create table row (n bigint primary key)`.execute(database.db)
    const acknowledged: number[] = []
    let refused = 0
    let next = 0
    let isOver = false
    const writers = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const n = next++
        const write = sql`insert into row values (${n})`.execute(database.db)
        await write.then(
          () => acknowledged.push(n),
          () => refused++,
        )
      }
    })
    for (let kill = 0; kill < 2; kill++) {
      const enough = acknowledged.length + 200
      await until(() => acknowledged.length > enough)
      await killAndAwait(folder, embedded)
    }
    const enough = acknowledged.length + 200
    await until(() => acknowledged.length > enough)
    isOver = true
    await Promise.all(writers)
    const { rows } = await sql<{ n: number }>`select n from row`.execute(database.db)
    const kept = new Set(rows.map(({ n }) => n))
    expect(acknowledged.filter((n) => !kept.has(n))).toEqual([])
    expect(refused).toBeGreaterThan(0)
    expect(events.filter((kind) => kind === 'down')).toHaveLength(2)
    await database.close()
    await embedded.close()
    expect(await processesIn(folder)).toEqual([])
  })

  it('is restarted although one of its backends is still computing', async () => {
    const folder = await usedFolder()
    const embedded = await openEmbedded({ dataFolder: folder, serve: true })
    const busy = new pg.Client({ connectionString: embedded.urlOf('postgres') })
    busy.on('error', () => {})
    await busy.connect()
    const work = busy.query("do 'begin loop end loop; end'").catch(() => 'broken')
    await killAndAwait(folder, embedded)
    expect(await query(embedded.urlOf('postgres'), 'select 1 as n')).toEqual([{ n: 1 }])
    expect(await work).toBe('broken')
    await embedded.close()
    expect(await processesIn(folder)).toEqual([])
  })

  it('waits for its port when another program has taken it', async () => {
    const folder = await usedFolder()
    const events: EmbeddedEvent[] = []
    const onEvent = (event: EmbeddedEvent) => events.push(event)
    const embedded = await openEmbedded({ dataFolder: folder, serve: true, onEvent })
    const url = new URL(embedded.urlOf('postgres'))
    const thief = createServer()
    onTestFinished(() => void thief.close())
    process.kill((await postmasterOf(folder))!, 'SIGKILL')
    thief.on('error', () => thief.listen(Number(url.port), '127.0.0.1'))
    thief.listen(Number(url.port), '127.0.0.1')
    await until(async () => {
      // On a busy machine PostgreSQL may be back before the port is taken: then it is killed again.
      const back = thief.listening ? undefined : await postmasterOf(folder)
      if (back !== undefined && embedded.isUp()) killIfThere(back)
      return events.some(({ detail }) => detail.includes('taken by'))
    })
    expect(embedded.isUp()).toBe(false)
    // A command accepts another port; the process that serves waits until the command is done.
    const command = await openEmbedded({ dataFolder: folder, serve: false })
    expect(command.urlOf('postgres')).not.toBe(url.href)
    thief.close()
    await until(() => events.some(({ detail }) => detail.includes('waiting until port')))
    expect(embedded.isUp()).toBe(false)
    await command.close()
    await until(() => embedded.isUp())
    expect(await query(url.href, 'select 1 as n')).toEqual([{ n: 1 }])
    await embedded.close()
  })

  it('leaves no process when Pavilion is closed while it is restarted', async () => {
    const folder = await usedFolder()
    for (const waitMs of [0, 20, 40, 60, 80, 120, 160]) {
      const settings = { fsync: 'off' }
      const embedded = await openEmbedded({ dataFolder: folder, serve: true, settings })
      process.kill((await postmasterOf(folder))!, 'SIGKILL')
      await until(() => !embedded.isUp())
      await sleep(waitMs)
      await embedded.close()
      await until(async () => (await processesIn(folder)).length === 0)
      expect(embedded.isUp()).toBe(false)
    }
  })
})

describe('a postmaster.pid that was left behind', () => {
  it('does not prevent the start when its pid now belongs to another program', async () => {
    const folder = await usedFolder()
    const killed = startProcess(folder, 'serve')
    await addressOf(killed)
    const pidFile = join(folder, 'postgres', 'postmaster.pid')
    const text = await readFile(pidFile, 'utf8')
    await killed.kill()
    await killAllIn(folder)
    const other = spawn('sleep', ['60'], { stdio: 'ignore' })
    onTestFinished(() => void other.kill())
    await writeFile(pidFile, text.replace(/^\d+/, String(other.pid)))
    const next = await openEmbedded({ dataFolder: folder, serve: true })
    expect(await query(next.urlOf('postgres'), 'select 1 as n')).toEqual([{ n: 1 }])
    await next.close()
    expect(other.exitCode).toBeNull()
  })
})

describe('a copy of a data folder in use', () => {
  it('gets a server of its own and does not touch that of the original', async () => {
    const original = await usedFolder()
    const first = await openEmbedded({ dataFolder: original, serve: true })
    const copy = await copyOf(original)
    expect(await readdir(join(copy, 'postgres'))).toContain('postmaster.pid')
    const second = await openEmbedded({ dataFolder: copy, serve: true })
    expect(second.urlOf('postgres')).not.toBe(first.urlOf('postgres'))
    await second.close()
    expect(await query(first.urlOf('postgres'), 'select 1 as n')).toEqual([{ n: 1 }])
    await first.close()
  })
})

describe('the log of the server', () => {
  it('is truncated when it is too long, and one earlier file is kept', async () => {
    const log = join(await temporaryFolder(), 'postgres.log')
    await writeFile(log, 'short\n')
    await boundLog(log, 10)
    expect(await tailOf(log)).toBe('short')
    await writeFile(log, 'longer than ten bytes\n')
    await boundLog(log, 10)
    expect(await tailOf(log)).toBe('')
    expect(await tailOf(`${log}.1`)).toBe('longer than ten bytes')
  })
})

describe('a server that cannot start', () => {
  it('is reported with the end of its log', async () => {
    const dataFolder = await usedFolder()
    const settings = { shared_buffers: 'much' }
    await expect(openEmbedded({ dataFolder, serve: false, settings })).rejects.toThrow(
      /did not start.*postgres\.log:.*invalid value for parameter "shared_buffers"/s,
    )
  })
})

/** Whether the cluster that is being made has such a file. */
async function isBelow(folder: string, name: string): Promise<boolean> {
  // A folder may be renamed or removed while it is listed.
  const paths = await readdir(folder, { recursive: true }).catch(() => [])
  return paths.some((path) => path.includes('postgres.new-') && path.includes(name))
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
