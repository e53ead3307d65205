import { Refusal } from '../../lib/refusal.ts'

/** A waiting call whose turn has not come after this time is refused. */
const WAIT_MS_MAX = 8_000

export const OVERLOADED = 'The server has more calls than it can answer; try again in a moment.'

/**
 * Calls that wait for their turn, in a queue for each caller. The queues take turns, so a caller
 * with one call does not wait for the hundred calls of another.
 */
interface WaitingCalls {
  /** Resolves when the turn of the call has come; rejects with a `Refusal` when it is dropped. */
  wait(caller: string): Promise<void>
  beginNext(): void
  /** Refuses the call of this caller that has waited for the longest time. */
  dropOldest(caller: string): void
  /** The callers who have a waiting call. */
  callers(): Iterable<string>
  count(): number
}

interface Waiting {
  begin(): void
  refuse(): void
}

/** `onDrop` is told about each call that was refused while it waited. */
export function createWaitingCalls(onDrop: (caller: string) => void): WaitingCalls {
  /** A Map keeps insertion order: the first caller is the next one, and then goes to the end. */
  const queues = new Map<string, Waiting[]>()
  let count = 0

  function remove(caller: string, call: Waiting): void {
    const queue = queues.get(caller) ?? []
    queue.splice(queue.indexOf(call), 1)
    if (queue.length === 0) queues.delete(caller)
    count--
    onDrop(caller)
  }

  return {
    wait(caller) {
      return new Promise((resolve, reject) => {
        const refuse = () => {
          clearTimeout(timer)
          remove(caller, call)
          reject(new Refusal('overloaded', OVERLOADED))
        }
        const timer = setTimeout(refuse, WAIT_MS_MAX)
        const begin = () => {
          clearTimeout(timer)
          resolve()
        }
        const call = { begin, refuse }
        queues.set(caller, [...(queues.get(caller) ?? []), call])
        count++
      })
    },
    beginNext() {
      const [next] = queues
      if (next === undefined) return
      const [caller, queue] = next
      queues.delete(caller)
      const call = queue.shift()
      if (queue.length > 0) queues.set(caller, queue)
      count--
      call?.begin()
    },
    dropOldest(caller) {
      queues.get(caller)?.[0]?.refuse()
    },
    callers: () => queues.keys(),
    count: () => count,
  }
}
