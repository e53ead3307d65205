import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
}

export interface Receiver {
  url: string
  host: string
  received: Received[]
  /** Sends the response; 204 unless set. */
  respond: (response: ServerResponse, received: Received) => void
  /** Resolves when this many messages were received. */
  until(count: number): Promise<void>
  close(): Promise<void>
}

/** A real receiver of webhooks on this machine. */
export async function openReceiver(): Promise<Receiver> {
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const message = { headers: request.headers, text, body: JSON.parse(text) }
      receiver.received.push(message)
      receiver.respond(response, message)
      for (const check of waiting) check()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const receiver: Receiver = {
    url: `http://${host}/hooks`,
    host,
    received: [],
    respond: (response) => response.writeHead(204).end(),
    until: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (receiver.received.length < count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return receiver
}

/** Asks again until the value fits; the timeout of the test ends it otherwise. */
export async function eventually<T>(ask: () => Promise<T>, fits: (value: T) => boolean) {
  for (;;) {
    const value = await ask()
    if (fits(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
