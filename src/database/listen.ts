import pg from 'pg'
import { CONNECTION_SETTINGS } from './connection.ts'

const RETRY_MS_MIN = 100
const RETRY_MS_MAX = 2_000
/** A connection that broke silently is noticed by a query this often. */
const CHECK_MS = 2_500

interface Listener {
  close(): Promise<void>
}

interface ListenHooks {
  /** Notifications are received from now on; earlier ones may have been missed. */
  onConnected(): void
  onLost(): void
  onNotification(channel: string, payload: string): void
}

/** Listens on the channels over a connection of its own, and connects again whenever it is lost. */
export function listen(url: string, channels: readonly string[], hooks: ListenHooks): Listener {
  let closed = false
  let client: pg.Client | undefined
  let waitMs = RETRY_MS_MIN
  let timer: NodeJS.Timeout | undefined

  function retry(lost: pg.Client): void {
    if (client !== lost) return
    client = undefined
    clearTimeout(timer)
    lost.end().catch(() => {})
    hooks.onLost()
    if (closed) return
    timer = setTimeout(() => void connect(), waitMs)
    waitMs = Math.min(waitMs * 2, RETRY_MS_MAX)
  }

  async function connect(): Promise<void> {
    const own = new pg.Client({ connectionString: url, ...CONNECTION_SETTINGS })
    client = own
    own.on('error', () => retry(own))
    own.on('end', () => retry(own))
    own.on('notification', (message) =>
      hooks.onNotification(message.channel, message.payload ?? ''),
    )
    try {
      await own.connect()
      for (const channel of channels) await own.query(`listen ${channel}`)
      if (closed) return
      waitMs = RETRY_MS_MIN
      hooks.onConnected()
      check(own)
    } catch {
      retry(own)
    }
  }

  function check(own: pg.Client): void {
    timer = setTimeout(() => {
      const silent = setTimeout(() => retry(own), CHECK_MS)
      own
        .query('select 1')
        .then(() => client === own && check(own))
        .catch(() => retry(own))
        .finally(() => clearTimeout(silent))
    }, CHECK_MS)
    timer.unref()
  }

  void connect()
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
