import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What is sent: request bodies for each of several keys, in turn. */
export interface Calls {
  port: number
  path: string
  /** The value of Accept-Encoding. */
  encoding: string
  keys: string[]
  /** The bodies of the first key, of the second and so on; repeated when there are fewer. */
  bodies: string[][]
}

interface Load extends Calls {
  durationMs: number
  /** Connections of a closed loop; an open loop opens as many as it needs. */
  connections?: number
  /** Requests per second of an open loop. */
  rate?: number
}

/** Milliseconds of each response with 200, and of each with 503. */
interface Times {
  accepted: number[]
  refused: number[]
}

export interface LoadResult extends Times {
  /** Those of the first second of an open loop, which are in none of the other figures. */
  first: Times
  /** Other statuses, lost connections and missing responses. */
  failed: number
  /** Requests for which the client had no connection left. */
  unsent: number
  seconds: number
}

const CLIENT = fileURLToPath(new URL('./client.mjs', import.meta.url))

/** Runs the load in a process of its own. */
export function runLoad(load: Load): Promise<LoadResult> {
  const client = fork(CLIENT, { serialization: 'advanced' })
  return new Promise((resolve, reject) => {
    client.once('message', (result) => resolve(result as LoadResult))
    client.once('error', reject)
    client.send(load)
  })
}

/** Asks `/healthz` every 20 ms on a connection of its own, and returns the longest time. */
export function watchHealth(port: number): { stop(): Promise<number> } {
  let longestMs = 0
  let stopped = false
  const watch = async () => {
    while (!stopped) {
      const sentAt = performance.now()
      const { status } = await fetch(`http://127.0.0.1:${port}/healthz`)
      if (status !== 200) throw new Error(`/healthz answered ${status}`)
      longestMs = Math.max(longestMs, performance.now() - sentAt)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const watching = watch()
  return {
    async stop() {
      stopped = true
      await watching
      return longestMs
    },
  }
}
