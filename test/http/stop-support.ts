import { Agent, type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'

interface Answer {
  status: number | undefined
  headers: IncomingHttpHeaders
  body: unknown
}

/** A call that takes longer counts as one that is never answered. */
const CALL_MS = 30_000

function call(url: string, options: RequestOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(CALL_MS)
    const sent = request(url, { ...options, signal }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status, headers } = response
        resolve({ status, headers, body: JSON.parse(text) })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Calls on a connection of its own, which it offers to keep. */
export async function getOnce(address: string, path: string): Promise<Answer> {
  const agent = new Agent({ keepAlive: true })
  try {
    return await call(`${address}${path}`, { agent })
  } finally {
    agent.destroy()
  }
}

interface Load {
  answered: number
  statuses: Set<number | undefined>
  /** The codes of calls that failed, in whatever way. */
  broken: string[]
  /** Resolves when every client has stopped. */
  ended: Promise<unknown>
}

const CLIENTS = 8

/**
 * Calls without a pause, as clients behind a load balancer do. Half of them keep their connection
 * until a response tells them to close it, the others open one for each call. A connection that
 * arrives in the instant in which a port closes is reset by the system, so none is opened once a
 * response has told that the server is stopping.
 */
export function loadUntilDrained(address: string, token: string): Load {
  const load: Load = { answered: 0, statuses: new Set(), broken: [], ended: Promise.resolve() }
  const headers = { authorization: `Bearer ${token}` }
  let isDraining = false
  const clients = Array.from({ length: CLIENTS }, async (_, number) => {
    const keepAlive = number % 2 === 0
    const agent = new Agent({ keepAlive, maxSockets: 1 })
    for (let isTold = false; !isTold; isTold = isDraining && !keepAlive) {
      try {
        const url = `${address}/api/v3/defaults/gem_attributes`
        const answer = await call(url, { agent, headers })
        load.statuses.add(answer.status)
        load.answered++
        // The server closes a connection that was to be kept only when it stops.
        if (keepAlive && answer.headers.connection === 'close') {
          isDraining = true
          break
        }
      } catch (error) {
        load.broken.push((error as NodeJS.ErrnoException).code ?? String(error))
        break
      }
    }
    agent.destroy()
  })
  load.ended = Promise.all(clients)
  return load
}
