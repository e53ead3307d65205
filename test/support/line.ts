import { connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy to PostgreSQL whose connections can be cut, or swallow everything, and be restored. */
export interface Line {
  /** The address of the database through the proxy. */
  url: string
  /** Ends all connections and refuses new ones. */
  cut(): void
  /** Nothing passes any more, in either direction, and nobody is told. New connections as well. */
  freeze(): void
  /** The same for the connections that are open now; new ones work. */
  freezeOpen(): void
  /** New connections work, and frozen ones go on where they stopped. */
  restore(): void
  close(): Promise<void>
}

/** Every answer takes the given time longer. */
export async function openLine(databaseUrl: string, delayMs = 0): Promise<Line> {
  const url = new URL(databaseUrl)
  const port = Number(url.port)
  const sockets = new Set<Socket>()
  let state: 'whole' | 'cut' | 'frozen' = 'whole'
  const server = createServer({ pauseOnConnect: true }, (near) => {
    if (state === 'cut') {
      near.destroy()
      return
    }
    const far = connect(port, '127.0.0.1')
    join(near, far, 0)
    join(far, near, delayMs)
    if (state === 'whole') near.resume()
    else far.pause()
  })

  function join(from: Socket, to: Socket, lateMs: number): void {
    sockets.add(from)
    from.on('data', (bytes) => {
      if (lateMs === 0) to.write(bytes)
      else setTimeout(() => to.write(bytes), lateMs)
    })
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      // A frozen peer does not hear of it.
      if (state !== 'frozen') to.destroy()
    })
  }

  await listening(server)
  url.port = String((server.address() as { port: number }).port)
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    cut() {
      state = 'cut'
      endAll()
    },
    freeze() {
      state = 'frozen'
      for (const socket of sockets) socket.pause()
    },
    freezeOpen() {
      for (const socket of sockets) socket.pause()
    },
    restore() {
      state = 'whole'
      for (const socket of sockets) socket.resume()
    },
    async close() {
      state = 'cut'
      endAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
}
