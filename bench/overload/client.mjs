// A client process of bench/overload: raw sockets, and as little work per response as possible,
// because it shares the machine with the server. It is plain JavaScript, so that it starts without
// a loader. `rate` makes it an open loop: requests are sent when they are due, whether or not the
// earlier ones are answered. Without it, each connection sends its next request after a response.
import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * An open loop has this many connections before its first request, like the pools of a few shops or
 * proxies. When all are busy, it opens others up to the bound; beyond it a request is not sent.
 */
const OPENED_BEFORE = 200
const CONNECTIONS_MAX = 300
/** Node's timers have this resolution; all requests that are due are sent at once. */
const TICK_MS = 1
/** Responses that are later than this after the last request are counted as missing. */
const LAST_RESPONSE_MS = 5_000
/** Requests of this time are reported apart: to the server they may be a burst. */
const FIRST_MS = 1_000

process.once('message', (options) => void run(options))
process.once('disconnect', () => process.exit())

async function run({ port, path, encoding, keys, bodies, connections, rate, durationMs }) {
  const head = `POST ${path} HTTP/1.1\r\nhost: bench\r\naccept-encoding: ${encoding}`
  const requests = keys.map((key, at) => requestsOf(head, key, bodies[at % bodies.length]))
  const result = { accepted: [], refused: [], failed: 0, unsent: 0, seconds: 0 }
  result.first = { accepted: [], refused: [] }
  const idle = []
  let open = 0
  let running = 0
  let next = 0

  const record = (status, sentAt) => {
    const times = rate && sentAt - started < FIRST_MS ? result.first : result
    const milliseconds = performance.now() - sentAt
    if (status === 200) times.accepted.push(milliseconds)
    else if (status === 503) times.refused.push(milliseconds)
    else result.failed++
  }
  let started = performance.now()
  const isOver = () => performance.now() - started >= durationMs
  /** The keys take turns. */
  const take = () => {
    const ofKey = requests[next % requests.length]
    return ofKey[Math.floor(next++ / requests.length) % ofKey.length]
  }

  /** Sends the next request, over an idle connection if there is one. */
  function send() {
    const connection = idle.pop()
    if (!connection && open >= CONNECTIONS_MAX) result.unsent++
    else sendOver(connection ?? openConnection())
  }

  function sendOver(connection) {
    running++
    connection.sentAt = performance.now()
    connection.socket.write(take())
  }

  function openConnection() {
    open++
    const socket = connect(port, '127.0.0.1')
    const connection = { socket, sentAt: 0 }
    socket.setNoDelay(true)
    readResponses(socket, (status) => {
      running--
      record(status, connection.sentAt)
      connection.sentAt = 0
      if (rate) idle.push(connection)
      else if (!isOver()) sendOver(connection)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      open--
      if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1)
      if (connection.sentAt === 0) return
      running--
      result.failed++
    })
    return connection
  }

  async function openIdle() {
    const connection = openConnection()
    await once(connection.socket, 'connect')
    idle.push(connection)
  }

  if (rate) await Promise.all(Array.from({ length: OPENED_BEFORE }, () => openIdle()))
  else for (let count = 0; count < connections; count++) send()
  started = performance.now()
  let sent = 0
  while (!isOver()) {
    await new Promise((resolve) => setTimeout(resolve, TICK_MS))
    const due = rate ? ((performance.now() - started) / 1000) * rate : 0
    for (; sent < due; sent++) send()
  }
  result.seconds = (performance.now() - started - (rate ? FIRST_MS : 0)) / 1000
  const waitUntil = performance.now() + LAST_RESPONSE_MS
  while (running > 0 && performance.now() < waitUntil) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  result.failed += running
  process.send(result, () => process.exit())
}

function requestsOf(head, key, ofKey) {
  return ofKey.map((body) =>
    Buffer.from(
      [
        head,
        `authorization: Bearer ${key}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(body)}`,
        `\r\n${body}`,
      ].join('\r\n'),
    ),
  )
}

/** Reads responses, all of which have a Content-Length. */
function readResponses(socket, onResponse) {
  let status = 0
  let missing = 0
  let head = ''
  socket.on('data', (chunk) => {
    if (missing > 0) missing -= chunk.length
    else {
      const end = chunk.indexOf('\r\n\r\n')
      head += chunk.latin1Slice(0, end === -1 ? chunk.length : end)
      if (end === -1) return
      status = Number(head.slice(9, 12))
      missing = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]) - chunk.length
      head = ''
    }
    if (missing <= 0) onResponse(status)
  })
}
