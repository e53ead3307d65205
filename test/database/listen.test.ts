import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { listen } from '../../src/database/listen.ts'
import { openDatabase } from '../../src/database/open.ts'
import { cloneDatabase } from '../support/database.ts'

it('listeners of one database share a connection, and hear again after it was lost', async () => {
  const clone = await cloneDatabase()
  const database = openDatabase({ url: clone.url, poolMax: 1 })
  const { db } = database
  const heard: string[] = []
  const connected = vi.fn()
  const lost = vi.fn()
  const start = (name: string, channels: string[]) =>
    listen(clone.url, channels, {
      onConnected: () => connected(name),
      onLost: () => lost(name),
      onNotification: (channel, payload) => heard.push(`${name} ${channel} ${payload}`),
    })
  const pids = async () => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
    return rows.map(({ pid }) => pid)
  }
  const notify = async (channel: string, payload: string) => {
    heard.length = 0
    await sql`select pg_notify(${channel}, ${payload})`.execute(db)
  }

  const first = start('first', ['red', 'blue'])
  await vi.waitFor(() => expect(connected).toHaveBeenCalledTimes(1), { timeout: 60_000 })
  const second = start('second', ['blue', 'green'])
  await vi.waitFor(() => expect(connected).toHaveBeenCalledTimes(2), { timeout: 60_000 })
  const before = await pids()
  expect(before).toHaveLength(1)
  for (const channel of ['red', 'blue', 'green']) {
    await notify(channel, '1')
    const names = { red: ['first'], blue: ['first', 'second'], green: ['second'] }[channel] ?? []
    await vi.waitFor(() => expect(heard).toEqual(names.map((name) => `${name} ${channel} 1`)), {
      timeout: 60_000,
    })
  }

  await sql`select pg_terminate_backend(${before[0]})`.execute(db)
  await vi.waitFor(() => expect(connected).toHaveBeenCalledTimes(4), { timeout: 60_000 })
  expect(lost.mock.calls.flat().slice(0, 2)).toEqual(['first', 'second'])
  await first.close()
  await notify('blue', '2')
  await vi.waitFor(() => expect(heard).toEqual(['second blue 2']))
  expect(await pids()).toHaveLength(1)
  await second.close()
  await vi.waitFor(async () => expect(await pids()).toEqual([]), { timeout: 60_000 })

  const third = start('third', ['red'])
  await vi.waitFor(() => expect(connected).toHaveBeenCalledTimes(5), { timeout: 60_000 })
  await third.close()
  await database.close()
  await clone.drop()
})
