import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createHeldRefusals, type HeldRefusals } from './held-refusals.ts'
import { createHeadReader, type RequestHead } from './request-head.ts'

/** A body up to this size is discarded; it costs less than a new connection. */
export const DISCARDED_BYTES_MAX = 64 * 1024

/**
 * Reads the requests of a connection before Node's HTTP parser, which takes half of the time of a
 * refusal. It begins when a request of the connection was refused and answered, so the
 * connections of a server that is not overloaded are left alone.
 */
interface EarlyReader {
  /** The parser has read a request. Returns whether this reader had let it through. */
  noteRequest(request: IncomingMessage, response: ServerResponse): boolean
  /** The request was refused: from its end on, the connection is read here. */
  begin(request: IncomingMessage, response: ServerResponse): void
}

interface Connection {
  /** Requests that the parser has begun to read and that are not answered yet. */
  open: number
  reader: 'parser' | 'this' | 'parser for good'
  /** Bytes of a body that still belong to the parser's request, or to a refused one. */
  parserBytes: number
  discardedBytes: number
  refusals: HeldRefusals
}

/** Returns the response to a request that is refused, undefined for any other. */
type Refuse = (head: RequestHead, socket: Socket) => string | undefined

export function createEarlyReader(refuse: Refuse): EarlyReader {
  const connections = new WeakMap<Socket, Connection>()
  const holdRefusals = createHeldRefusals()
  const readHead = createHeadReader()

  function follow(connection: Connection, request: IncomingMessage, response: ServerResponse) {
    connection.open++
    onceAnswered(request, response, () => {
      connection.open--
      if (connection.open > 0 || connection.reader !== 'parser') return
      connection.reader = 'this'
      readRequests(request.socket, connection, { readHead, refuse })
    })
  }

  return {
    noteRequest(request, response) {
      const connection = connections.get(request.socket)
      if (!connection) return false
      follow(connection, request, response)
      return connection.reader === 'this'
    },
    begin(request, response) {
      if (connections.has(request.socket)) return
      const connection: Connection = {
        open: 0,
        reader: 'parser',
        parserBytes: 0,
        discardedBytes: 0,
        refusals: holdRefusals((text) => request.socket.write(text, 'latin1')),
      }
      connections.set(request.socket, connection)
      follow(connection, request, response)
    },
  }
}

/** Calls `done` when the whole request was read and the whole response written. */
function onceAnswered(request: IncomingMessage, response: ServerResponse, done: () => void): void {
  let isOneClosed = false
  const onClose = () => {
    if (isOneClosed && request.complete && response.writableFinished) done()
    isOneClosed = true
  }
  request.once('close', onClose)
  response.once('close', onClose)
}

/** Takes the place of the parser's listener, and passes on to it what is not refused. */
function readRequests(
  socket: Socket,
  connection: Connection,
  { readHead, refuse }: { readHead: ReturnType<typeof createHeadReader>; refuse: Refuse },
): void {
  const [parse, ...others] = socket.listeners('data') as ((chunk: Buffer) => void)[]
  if (!parse || others.length > 0) return

  /** Where this chunk's request ends is not sure, so nothing can be read before the parser. */
  function leaveToParser(chunk: Buffer): void {
    connection.reader = 'parser for good'
    connection.refusals.flush()
    socket.off('data', read)
    socket.on('data', parse)
    parse(chunk)
  }

  function discard(chunk: Buffer): void {
    const rest = chunk.subarray(connection.discardedBytes)
    connection.discardedBytes -= chunk.length - rest.length
    if (rest.length > 0) leaveToParser(rest)
  }

  function readRequest(chunk: Buffer): void {
    // Responses keep the order of their requests.
    connection.refusals.flush()
    const head = connection.open === 0 ? readHead(chunk) : undefined
    if (!head || head.missing > DISCARDED_BYTES_MAX) {
      leaveToParser(chunk)
      return
    }
    // The parser stops reading from a caller who does not read its responses.
    const refusal = socket.writableNeedDrain ? undefined : refuse(head.request, socket)
    if (refusal === undefined) {
      connection.parserBytes = head.missing
      parse(chunk)
    } else {
      connection.discardedBytes = head.missing
      connection.refusals.write(refusal)
    }
  }

  function read(chunk: Buffer): void {
    if (connection.discardedBytes > 0) discard(chunk)
    else if (connection.parserBytes === 0) readRequest(chunk)
    else if (connection.parserBytes < chunk.length) leaveToParser(chunk)
    else {
      connection.parserBytes -= chunk.length
      parse(chunk)
    }
  }

  socket.off('data', parse)
  socket.on('data', read)
}
