// The client side of `load`: raw sockets and as little work per response as possible.
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const { port, method, path, headers, bodies, connections, durationMs } = workerData
const requests = (bodies.length > 0 ? bodies : ['']).map((body) => {
  const lines = Object.entries({ host: 'bench', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  if (body)
    lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
})
const latencies = []
const started = performance.now()
const endsAt = started + durationMs
let next = 0
let open = connections

for (let count = 0; count < connections; count++) run()

function run() {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  let missing = 0
  let pending = Buffer.alloc(0)
  let sentAt = 0
  const send = () => {
    sentAt = performance.now()
    socket.write(requests[next++ % requests.length])
  }
  socket.on('connect', send)
  socket.on('data', (chunk) => {
    if (missing > 0) missing -= chunk.length
    else missing = restOf(Buffer.concat([pending, chunk]))
    if (missing !== 0) return
    latencies.push(performance.now() - sentAt)
    if (performance.now() < endsAt) return send()
    socket.destroy()
    if (--open === 0) finish()
  })
  /** Bytes of the response that are still missing; -1 if its head is incomplete. */
  function restOf(bytes) {
    const head = bytes.indexOf('\r\n\r\n')
    if (head === -1) {
      pending = bytes
      return -1
    }
    pending = Buffer.alloc(0)
    const text = bytes.toString('latin1', 0, head)
    if (!text.startsWith('HTTP/1.1 200')) throw new Error(text.split('\r\n')[0])
    const length = Number(/content-length: (\d+)/i.exec(text)[1])
    return head + 4 + length - bytes.length
  }
}

function finish() {
  const seconds = (performance.now() - started) / 1000
  latencies.sort((a, b) => a - b)
  const at = (share) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]
  parentPort.postMessage({
    requestsPerSecond: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  })
}
