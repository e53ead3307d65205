import pg from 'pg'

interface Statement {
  text: string
  values?: unknown[]
  /** The name that it is prepared under. */
  name?: string | undefined
}

/** The statements of one round trip, or of a part of one: then they are held for the next. */
export class Together {
  readonly statements: readonly Statement[]
  readonly isHeld: boolean

  constructor(statements: readonly Statement[], isHeld = false) {
    this.statements = statements
    this.isHeld = isHeld
  }

  named(nameOf: (text: string) => string | undefined): Together {
    const named = this.statements.map((each) => ({ ...each, name: nameOf(each.text) }))
    return new Together(named, this.isHeld)
  }
}

export type Send = (...sent: unknown[]) => unknown

const BEGIN: Statement = { text: 'begin', name: 'p_begin' }
const COMMIT: Statement = { text: 'commit', name: 'p_commit' }
const NOTHING = { command: null, rowCount: null, rows: [] }

/**
 * Sends the statements of a `Together` to a connection. Statements that are held are sent with what
 * comes next: nothing of it is executed once one fails. With `holdsBegin` the begin of a
 * transaction is held, too: a round trip less for each, in which it would lock nothing.
 */
export function joinStatements(client: pg.Client, send: Send, holdsBegin: boolean): Send {
  let held: Statement[] = []

  function sendTogether(statements: readonly Statement[]): Promise<pg.QueryResult[]> {
    return new Promise((resolve, reject) => {
      const query = new TogetherQuery(client, statements, (error, results) =>
        error ? reject(error) : resolve(results ?? []),
      )
      send(query)
    })
  }

  function end(kind: 'commit' | 'rollback', before: Statement[]): unknown {
    const isBegun = before[0] !== BEGIN
    if (kind === 'rollback') return isBegun ? send('rollback') : Promise.resolve(NOTHING)
    if (!isBegun && before.length === 1) return Promise.resolve(NOTHING)
    // A pooler may give the next transaction another session, which has no prepared statements.
    const commit = holdsBegin ? COMMIT : { text: 'commit' }
    return sendTogether([...before, commit]).then((results) => results.at(-1))
  }

  return (...sent) => {
    const [statement, values] = sent
    const together = Array.isArray(values) && values[0] instanceof Together ? values[0] : undefined
    if (together?.isHeld || (holdsBegin && isBegin(sent))) {
      held = [...held, ...(together?.statements ?? [BEGIN])]
      return Promise.resolve(NOTHING)
    }
    const before = held
    held = []
    if (together) {
      return sendTogether([...before, ...together.statements]).then((results) =>
        rowsOfEach(results.slice(before.length)),
      )
    }
    if (before.length === 0) return send(...sent)
    if (statement === 'commit' || statement === 'rollback') return end(statement, before)
    const joined = statementOf(statement, values)
    if (joined) return sendTogether([...before, joined]).then((results) => results.at(-1))
    // The connection sends what cannot be joined afterwards; without these it must not be executed.
    sendTogether(before).catch((error: Error) => client.connection.stream.destroy(error))
    return send(...sent)
  }
}

/** One that is awaited, as Kysely does. */
function isBegin(sent: readonly unknown[]): boolean {
  return sent[0] === 'begin' && typeof sent.at(-1) !== 'function'
}

function rowsOfEach(results: readonly pg.QueryResult[]) {
  return { command: 'TOGETHER', rowCount: null, rows: results.map(({ rows }) => rows) }
}

/** A statement that can be sent with others: those of a text without values may be several. */
function statementOf(sent: unknown, values: unknown): Statement | undefined {
  if (typeof sent !== 'string') {
    const config = sent as Statement
    return config.values && config.values.length > 0 ? config : undefined
  }
  return Array.isArray(values) && (values.length > 0 || !sent.includes(';'))
    ? { text: sent, values }
    : undefined
}

/** A query of `pg`, as a connection uses it. */
interface Part extends pg.Submittable {
  readonly name: string | undefined
  readonly text: string
  readonly _result: pg.QueryResult
  _canceledDueToError: Error | false
  _getRows(connection: pg.Connection): void
  prepare(connection: pg.Connection): void
  handleError(error: Error): void
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: pg.Connection): void
}

type Execute = pg.Connection & {
  execute(config: { portal: string }): void
  sync(): void
  submittedNamedStatements: Record<string, string>
}

/**
 * Sends statements to a connection of `pg` without a `Sync` between them, so that PostgreSQL skips
 * all that follow one that fails. The connection calls this for each message of the answer.
 */
class TogetherQuery implements pg.Submittable {
  readonly #parts: Part[]
  readonly #callback: (error: Error | null, results?: pg.QueryResult[]) => void
  /** The one whose answer is being read. */
  #at = 0
  #isAnswered = false

  constructor(
    client: pg.Client,
    statements: readonly Statement[],
    callback: (error: Error | null, results?: pg.QueryResult[]) => void,
  ) {
    const types = {
      getTypeParser: client.getTypeParser.bind(client),
    } as unknown as pg.CustomTypesConfig
    this.#callback = callback
    this.#parts = statements.map((statement) => {
      const part = new pg.Query({ types, ...statement }) as unknown as Part
      // As in `pg`, but without a `Sync` at the end.
      part._getRows = (connection) => (connection as Execute).execute({ portal: '' })
      return part
    })
  }

  get name(): string | undefined {
    return this.#parts.at(this.#at)?.name
  }

  get text(): string | undefined {
    return this.#parts.at(this.#at)?.text
  }

  submit(connection: pg.Connection): void {
    connection.stream.cork()
    try {
      for (const part of this.#parts) {
        // A value that cannot be sent: what is written already must not be executed.
        part.handleError = (error) => connection.stream.destroy(error)
        part.prepare(connection)
      }
      ;(connection as Execute).sync()
    } finally {
      connection.stream.uncork()
    }
  }

  handleRowDescription(message: unknown): void {
    this.#parts[this.#at].handleRowDescription(message)
  }

  handleDataRow(message: unknown): void {
    this.#parts[this.#at].handleDataRow(message)
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    this.#parts[this.#at].handleCommandComplete(message, connection)
    this.#at++
  }

  handleEmptyQuery(): void {
    this.#at++
  }

  handleError(error: Error, connection: pg.Connection): void {
    const { submittedNamedStatements } = connection as Execute
    // Those that were skipped are not prepared.
    for (const { name } of this.#parts.slice(this.#at)) {
      if (name !== undefined) Reflect.deleteProperty(submittedNamedStatements, name)
    }
    this.#answer(error)
  }

  handleReadyForQuery(): void {
    const unread = this.#parts.find((part) => part._canceledDueToError)
    if (unread) this.#answer(unread._canceledDueToError as Error)
    else {
      this.#answer(
        null,
        this.#parts.map(({ _result }) => _result),
      )
    }
  }

  #answer(error: Error | null, results?: pg.QueryResult[]): void {
    if (this.#isAnswered) return
    this.#isAnswered = true
    this.#callback(error, results)
  }
}
