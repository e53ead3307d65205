import { connect } from 'node:net'
import { type Timing, timingOf } from './search-measure.ts'

export interface Load extends Timing {
  perSecond: number
}

/**
 * Requests over keep-alive connections, one at a time on each, for some seconds. It speaks HTTP by
 * hand: Node's own client would be the slower side of a page that is copied from memory.
 */
export async function loadServer(
  port: number,
  requests: readonly Buffer[],
  { connections = 8, seconds = 4 } = {},
): Promise<Load> {
  const times: number[] = []
  const endAt = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, (_, i) => converse(port, requests, i, endAt, times)),
  )
  return { perSecond: times.length / seconds, ...timingOf(times) }
}

export function requestBytes(path: string, token: string, body: unknown): Buffer {
  const text = JSON.stringify(body)
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}

function converse(
  port: number,
  requests: readonly Buffer[],
  first: number,
  endAt: number,
  times: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let [next, startedAt, missing, head] = [first, 0, -1, '']
    const ask = () => {
      if (performance.now() >= endAt) {
        socket.destroy()
        return resolve()
      }
      startedAt = performance.now()
      missing = -1
      head = ''
      socket.write(requests[next++ % requests.length])
    }
    socket.on('connect', ask)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      if (missing < 0) {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        if (!head.startsWith('HTTP/1.1 200')) return reject(new Error(head.slice(0, 400)))
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
        missing = length - (head.length - end - 4)
      } else {
        missing -= chunk.length
      }
      if (missing > 0) return
      times.push(performance.now() - startedAt)
      ask()
    })
  })
}
