import pg from 'pg'
import { CONNECTION_SETTINGS } from './connection.ts'

/**
 * Whether the address is that of a pooler in transaction mode, such as pgbouncer. Two connections
 * that are open at the same time then share one session of PostgreSQL, so that one would hear no
 * notifications, and would keep or lose settings and locks of the other.
 */
export async function sharesSessions(url: string): Promise<boolean> {
  const open = async () => {
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
  const sessionOf = async (client: pg.Client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return rows[0].pid
  }
  const first = await open()
  try {
    const second = await open()
    try {
      return (await sessionOf(first)) === (await sessionOf(second))
    } finally {
      await second.end().catch(() => {})
    }
  } finally {
    await first.end().catch(() => {})
  }
}
