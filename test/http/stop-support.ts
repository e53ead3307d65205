import { Agent, type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'

interface Answer {
  status: number | undefined
  headers: IncomingHttpHeaders
  body: unknown
}

/** A call that takes longer counts as one that is never answered. */
const CALL_MS = 10_000

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
  /** The codes of calls that failed in any other way than by a refused connection. */
  broken: string[]
  /** Resolves when every client has been refused. */
  refused: Promise<unknown>
}

const CLIENTS = 8

/**
 * Calls without a pause until the port refuses connections. Half of the clients keep their
 * connection, the others open one for each call.
 */
export function loadUntilRefused(address: string, token: string): Load {
  const load: Load = { answered: 0, statuses: new Set(), broken: [], refused: Promise.resolve() }
  const headers = { authorization: `Bearer ${token}` }
  const clients = Array.from({ length: CLIENTS }, async (_, number) => {
    const agent = new Agent({ keepAlive: number % 2 === 0, maxSockets: 1 })
    for (;;) {
      try {
        const url = `${address}/api/v3/defaults/gem_attributes`
        const { status } = await call(url, { agent, headers })
        load.statuses.add(status)
        load.answered++
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? String(error)
        if (code === 'ECONNREFUSED') return agent.destroy()
        load.broken.push(code)
      }
    }
  })
  load.refused = Promise.all(clients)
  return load
}
