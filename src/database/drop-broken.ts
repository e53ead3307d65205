import type pg from 'pg'
import { boundedClient, type ConnectionHooks } from './connection.ts'

/** What a pool knows about one of its connections. */
interface Known {
  /** When the server last answered on it, by `performance.now()`. */
  heardAtMs: number
  isIdle: boolean
}

/**
 * Keeps connections to a server that has gone out of a pool. When one of them turns out to be
 * useless, those that are idle are most likely useless as well, and each would cost a request its
 * whole patience. They are closed, and new ones are opened, possibly to another server.
 */
export function createBrokenConnections(
  hooks: Pick<ConnectionHooks, 'connectMs' | 'answerMs' | 'pooled' | 'nameOf'>,
) {
  const known = new Map<pg.ClientBase, Known>()
  const spent = new WeakSet<pg.ClientBase>()

  function dropIdle(heardBeforeMs: number): void {
    for (const [client, { isIdle, heardAtMs }] of known) {
      if (!isIdle || heardAtMs >= heardBeforeMs) continue
      known.delete(client)
      // The pool removes an idle connection that reports an error.
      client.emit('error', new Error('Connection terminated: its server is gone'))
    }
  }

  const Client = boundedClient({
    ...hooks,
    onSilent: dropIdle,
    onSpent(client) {
      spent.add(client)
      dropIdle(performance.now())
    },
  })

  function follow(pool: pg.Pool): void {
    pool.on('connect', (client) => {
      known.set(client, { heardAtMs: performance.now(), isIdle: false })
    })
    pool.on('acquire', (client) => {
      const state = known.get(client)
      if (state) state.isIdle = false
    })
    pool.on('release', (_error, client) => {
      if (spent.has(client)) {
        known.delete(client)
        // The pool does not take back a connection that is being closed.
        void (client as unknown as pg.Client).end().catch(() => {})
      }
      const state = known.get(client)
      if (state) Object.assign(state, { heardAtMs: performance.now(), isIdle: true })
    })
    pool.on('remove', (client) => known.delete(client))
  }

  return { Client, follow }
}
