import pg from 'pg'
import { CONNECTION_SETTINGS } from './connection.ts'

/** Other clients of a pooler may use its sessions in between, so that one look may miss it. */
const LOOKS = 20

/**
 * Whether the address is that of a pooler in transaction mode, such as pgbouncer. Two connections
 * that are open at the same time then share sessions of PostgreSQL, so that one would hear no
 * notifications, and would keep or lose settings and locks of the other.
 */
export async function sharesSessions(url: string): Promise<boolean> {
  const first = await open(url)
  try {
    const second = await open(url)
    try {
      const own = [await sessionOf(first), await sessionOf(second)]
      if (own[0] === own[1]) return true
      for (let look = 1; look < LOOKS; look++) {
        if ((await sessionOf(first)) !== own[0] || (await sessionOf(second)) !== own[1]) return true
      }
      return false
    } finally {
      await second.end().catch(() => {})
    }
  } finally {
    await first.end().catch(() => {})
  }
}

async function open(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    ...CONNECTION_SETTINGS,
    query_timeout: CONNECTION_SETTINGS.connectionTimeoutMillis,
    application_name: 'pavilion',
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0].pid
}
