import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Receiver {
  host: string
  url: string
  figures(): { received: number; refused: number }
  close(): Promise<void>
}

/** One message in so many is refused, so that deliveries are repeated. */
const REFUSED_EVERY = 20
/** And one in so many is answered late. */
const SLOW_EVERY = 50
const SLOW_MS = 3_000

/** Receives webhooks; some are refused, some are answered late. */
export async function openReceiver(): Promise<Receiver> {
  let received = 0
  let refused = 0
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      received++
      if (received % SLOW_EVERY === 0) {
        setTimeout(() => response.writeHead(204).end(), SLOW_MS)
      } else if (received % REFUSED_EVERY === 0) {
        refused++
        response.writeHead(500).end()
      } else {
        response.writeHead(204).end()
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}/hooks`,
    figures: () => ({ received, refused }),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
