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

interface Member {
  channels: readonly string[]
  hooks: ListenHooks
  /** Whether its hooks were told that it is connected. */
  isConnected: boolean
}

/** The connection to one database, and all who listen over it. */
interface Shared {
  url: string
  members: Set<Member>
  client: pg.Client | undefined
  /** Whether the client can be given statements. */
  isUp: boolean
  /** What it was given last: one statement after the other. */
  sent: Promise<unknown>
  waitMs: number
  timer: NodeJS.Timeout | undefined
}

/** By the address of the database. */
const connections = new Map<string, Shared>()

/**
 * Listens on the channels, and connects again whenever the connection is lost. All who listen to a
 * database share one connection, because each takes PostgreSQL a process and a query every 2.5 s.
 */
export function listen(url: string, channels: readonly string[], hooks: ListenHooks): Listener {
  const member = { channels, hooks, isConnected: false }
  const known = connections.get(url)
  const shared = known ?? newShared(url)
  shared.members.add(member)
  const { client, isUp } = shared
  if (!known) {
    connections.set(url, shared)
    void connect(shared)
  } else if (client && isUp) {
    void admit(shared, client, member).catch(() => retry(shared, client))
  }
  return { close: () => leave(shared, member) }
}

function newShared(url: string): Shared {
  return {
    url,
    members: new Set(),
    client: undefined,
    isUp: false,
    sent: Promise.resolve(),
    waitMs: RETRY_MS_MIN,
    timer: undefined,
  }
}

async function connect(shared: Shared): Promise<void> {
  const { url, members } = shared
  const own = new pg.Client({ connectionString: url, ...CONNECTION_SETTINGS })
  shared.client = own
  shared.sent = Promise.resolve()
  own.on('error', () => retry(shared, own))
  own.on('end', () => retry(shared, own))
  own.on('notification', ({ channel, payload = '' }) => {
    for (const { channels, hooks } of members) {
      if (channels.includes(channel)) hooks.onNotification(channel, payload)
    }
  })
  try {
    await own.connect()
    if (shared.client !== own) return
    shared.isUp = true
    await Promise.all([...members].map((member) => admit(shared, own, member)))
    shared.waitMs = RETRY_MS_MIN
    check(shared, own)
  } catch {
    retry(shared, own)
  }
}

/** Listens on the channels of a member; to listen again on one of them changes nothing. */
async function admit(shared: Shared, own: pg.Client, member: Member): Promise<void> {
  await send(shared, own, member.channels.map((channel) => `listen ${channel}`).join('; '))
  if (shared.client !== own || !shared.members.has(member) || member.isConnected) return
  member.isConnected = true
  member.hooks.onConnected()
}

function send(shared: Shared, own: pg.Client, statements: string): Promise<unknown> {
  const answered = shared.sent.then(() => own.query(statements))
  shared.sent = answered.catch(() => {})
  return answered
}

function retry(shared: Shared, lost: pg.Client): void {
  if (shared.client !== lost) return
  shared.client = undefined
  shared.isUp = false
  clearTimeout(shared.timer)
  lost.end().catch(() => {})
  for (const member of shared.members) {
    member.isConnected = false
    member.hooks.onLost()
  }
  shared.timer = setTimeout(() => void connect(shared), shared.waitMs)
  shared.waitMs = Math.min(shared.waitMs * 2, RETRY_MS_MAX)
}

function check(shared: Shared, own: pg.Client): void {
  if (shared.client !== own) return
  shared.timer = setTimeout(() => {
    const silent = setTimeout(() => retry(shared, own), CHECK_MS)
    send(shared, own, 'select 1')
      .then(() => check(shared, own))
      .catch(() => retry(shared, own))
      .finally(() => clearTimeout(silent))
  }, CHECK_MS)
  shared.timer.unref()
}

/** The last one who leaves closes the connection. */
async function leave(shared: Shared, member: Member): Promise<void> {
  const { members, client, url } = shared
  if (!members.delete(member) || members.size > 0) return
  connections.delete(url)
  shared.client = undefined
  clearTimeout(shared.timer)
  await client?.end().catch(() => {})
}
