import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that the system gives to connections and to servers that ask for any port. */
const LOWEST = 15_000
const COUNT = 15_000

/**
 * A port for a server of the test, which may be started again on it: no other program gets it
 * meanwhile, as it could get one that the system chose.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT)
    const server = createServer()
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    } catch {
      // In use.
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
}
