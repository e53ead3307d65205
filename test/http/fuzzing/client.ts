import { Agent, request as send } from 'node:http'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FuzzResponse } from './checks.ts'
import type { FuzzRequest } from './requests.ts'

/** Longer than any request may take; a response that is later counts as none. */
const RESPONSE_MS = 40_000

export interface FuzzClient {
  /** Sends a request, and fails when the connection ends without a response. */
  call(request: FuzzRequest): Promise<FuzzResponse>
  /** Writes bytes as they are, and returns all that the server sends until it closes. */
  exchange(pieces: readonly (string | Buffer)[], halfClose: boolean): Promise<string>
  close(): void
}

export function createFuzzClient(address: string, connections: number): FuzzClient {
  const { hostname, port } = new URL(address)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })

  function call({ method, target, headers, body }: FuzzRequest): Promise<FuzzResponse> {
    return new Promise((resolve, reject) => {
      const lines = headers.flatMap(([name, value]) => [name, latin1(value)])
      const length = body === undefined ? [] : ['content-length', String(body.length)]
      const request = send({
        agent,
        hostname,
        port,
        method,
        path: target,
        headers: ['host', `${hostname}:${port}`, ...lines, ...length],
        timeout: RESPONSE_MS,
      })
      request.on('timeout', () => request.destroy(new Error('no response in time')))
      request.on('error', reject)
      request.on('response', (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = decode(Buffer.concat(chunks), response.headers['content-encoding'])
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
        })
      })
      request.end(body)
    })
  }

  function exchange(pieces: readonly (string | Buffer)[], halfClose: boolean): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname)
      let text = ''
      const timer = setTimeout(() => socket.destroy(), RESPONSE_MS)
      socket.on('data', (chunk) => {
        text += chunk
      })
      // A reset after a refusal is how a server ends a connection whose bytes it does not read.
      socket.on('error', () => {})
      socket.on('close', () => {
        clearTimeout(timer)
        resolve(text)
      })
      for (const piece of pieces) socket.write(piece)
      if (halfClose) socket.end()
    })
  }

  return { call, exchange, close: () => agent.destroy() }
}

function decode(bytes: Buffer, coding: string | undefined): string {
  if (bytes.length === 0) return ''
  if (coding === 'gzip') return gunzipSync(bytes).toString()
  return (coding === 'br' ? brotliDecompressSync(bytes) : bytes).toString()
}

/** A header is bytes; Node refuses characters beyond Latin 1 and control characters in them. */
function latin1(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')
}
