import pg from 'pg'
import { joinStatements, type Send, Together } from './connections/join-statements.ts'
import { endsConnection } from './errors.ts'

/**
 * A server that is there accepts a connection within milliseconds. A node gives up soon, because
 * the next try may reach another server.
 */
export const CONNECT_MS = 4_000

/**
 * What every connection has in common. A peer that was switched off, or a network that drops
 * packets, is noticed by probes of the system after five seconds of silence.
 */
export const CONNECTION_SETTINGS = {
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
} as const

/** An answer that arrived while this process was stopped is read before the connection is ended. */
const GRACE_MS = 250

export interface ConnectionHooks {
  /** How long the server may take to accept a connection. */
  connectMs: number
  /** Set for connections through a pooler, which may run each transaction in another session. */
  pooled?: PooledSettings | undefined
  /** The name under which a statement is prepared, if it has one. */
  nameOf?: ((text: string) => string | undefined) | undefined
  /** How long a statement may be without an answer; without a limit if undefined. */
  answerMs: number | undefined
  /** The server did not answer a statement that was sent at this `performance.now()`. */
  onSilent: (sentAtMs: number) => void
  /** The server said that this connection cannot be used again. */
  onSpent: (client: pg.Client) => void
}

/** What a session of the pooler does not keep, and therefore every transaction sets for itself. */
export interface PooledSettings {
  statementTimeoutMs: number
  idleInTransactionMs: number
}

type Callback = (error: Error | null, result: unknown) => void

/**
 * The connections of a pool. PostgreSQL's own time-outs end a statement that takes too long, but
 * not the wait for a server that no longer answers: a frozen one, one behind a broken network, or
 * a commit that no standby confirms. So every statement has a limit on this side, too. A
 * connection that has reached it is closed, which fails what was sent over it as an outage.
 */
export function boundedClient(hooks: ConnectionHooks): new (config?: pg.ClientConfig) => pg.Client {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      // The pool's own limit includes the wait for a free connection.
      super({ ...config, ...CONNECTION_SETTINGS, connectionTimeoutMillis: hooks.connectMs })
      // A pooler needs the settings that `forPooler` adds to the begin of a transaction.
      const holdsBegin = hooks.pooled === undefined
      const send = joinStatements(this, this.query.bind(this) as Send, holdsBegin)
      this.query = ((...sent: unknown[]) =>
        watchAnswer(this, send, sent, hooks)) as typeof this.query
    }
  }
}

function watchAnswer(client: pg.Client, send: Send, sent: unknown[], hooks: ConnectionHooks) {
  // A COPY takes as long as it is large; the code that starts one limits it.
  if (isStream(sent[0])) return send(...sent)
  if (hooks.pooled) sent[0] = forPooler(sent[0], hooks.pooled)
  else if (hooks.nameOf) nameStatement(sent, hooks.nameOf)
  const timer = startTimer(client, hooks)
  const end = (error?: unknown) => {
    timer?.stop()
    if (error !== undefined && error !== null && endsConnection(error)) hooks.onSpent(client)
  }
  const last = sent.length - 1
  // Kysely awaits a promise, and the pool's own `query` passes a callback.
  if (typeof sent[last] === 'function') {
    const callback = sent[last] as Callback
    return send(...sent.slice(0, last), ((error, result) => {
      end(error)
      callback(error, result)
    }) satisfies Callback)
  }
  const answered = send(...sent) as Promise<unknown>
  answered.then(() => end(), end)
  return answered
}

/** Kysely passes the text and the values; a name needs the form in which all are one. */
function nameStatement(sent: unknown[], nameOf: (text: string) => string | undefined): void {
  const [statement, values] = sent
  if (Array.isArray(values) && values[0] instanceof Together) {
    sent[1] = [values[0].named(nameOf)]
    return
  }
  const isText = typeof statement === 'string'
  const config = isText ? { text: statement, values } : (statement as pg.QueryConfig)
  if (!Array.isArray(config.values) || config.values.length === 0) return
  const name = nameOf(config.text)
  if (name !== undefined) sent.splice(0, isText ? 2 : 1, { ...config, name })
}

/**
 * A pooler in transaction mode ignores the settings of a connection, so a transaction sets them in
 * the round trip that begins it; and a statement that has a name in one session has none in the
 * next.
 */
function forPooler(statement: unknown, settings: PooledSettings): unknown {
  if (typeof statement === 'object' && statement !== null) return { ...statement, name: undefined }
  if (typeof statement !== 'string' || !/^(begin|start transaction)\b[^;]*$/i.test(statement)) {
    return statement
  }
  return (
    `${statement}; set local statement_timeout = ${settings.statementTimeoutMs}; ` +
    `set local idle_in_transaction_session_timeout = ${settings.idleInTransactionMs}`
  )
}

function isStream(sent: unknown): boolean {
  return typeof sent === 'object' && sent !== null && 'submit' in sent
}

function startTimer(client: pg.Client, { answerMs, onSilent }: ConnectionHooks) {
  if (answerMs === undefined) return undefined
  const sentAtMs = performance.now()
  let timer = setTimeout(() => {
    timer = setTimeout(() => {
      // With a statement under way this closes the socket at once.
      void client.end().catch(() => {})
      onSilent(sentAtMs)
    }, GRACE_MS)
  }, answerMs)
  return { stop: () => clearTimeout(timer) }
}
