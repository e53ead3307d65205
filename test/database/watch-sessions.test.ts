import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { watchSessions, withSession } from '../../src/database/watch-sessions.ts'
import { openLine } from '../support/line.ts'
import { useDatabase } from '../support/stones.ts'

const database = useDatabase()

/** Stops this thread as a loaded machine does; in between, its event loop makes one turn. */
async function runHardly(timesStopped: number): Promise<void> {
  const nobody = new Int32Array(new SharedArrayBuffer(4))
  for (let stopped = 0; stopped < timesStopped; stopped++) {
    Atomics.wait(nobody, 0, 0, 3_500)
    await nextTurn()
  }
}

it('a session is kept while its thread hardly runs, because its server answers', async () => {
  const { url } = database.current
  const rows = await withSession({ url, applicationName: 'test' }, async (client) => {
    await runHardly(5)
    return (await client.query('select 1 as kept')).rows
  })
  expect(rows).toEqual([{ kept: 1 }])
}, 60_000)

it('sessions that come and go while the server is asked are kept', async () => {
  const { url } = database.current
  const clients = [1, 2].map(() => new pg.Client({ connectionString: url }))
  for (const client of clients) await client.connect()
  const line = await openLine(url, 150)
  const watch = watchSessions(line.url)
  try {
    for (let turn = 0; turn < 24; turn++) {
      const [one, other] = turn % 2 === 0 ? clients : clients.toReversed()
      // For a moment nobody is watched.
      watch.remove(one)
      watch.add(other)
      await other.query('select pg_sleep(0.05)')
      await sleep(turn % 8 === 4 ? 2_100 : 30)
    }
    for (const client of clients) {
      expect((await client.query('select 1 as kept')).rows).toEqual([{ kept: 1 }])
    }
  } finally {
    for (const client of clients) watch.remove(client)
    for (const client of clients) await client.end()
    await line.close()
  }
}, 90_000)
