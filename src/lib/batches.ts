/** How keys are collected. */
interface BatchOptions {
  /** How long the next read waits after the last one. */
  pauseMs: number
  /** How many keys one read has at most. */
  sizeMax: number
  /** How many keys may wait. */
  waitingMax: number
  /** What is thrown when so many wait already. */
  whenFull: () => Error
}

interface Waiter<Value> {
  promise: Promise<Value>
  resolve(value: Value): void
  reject(error: unknown): void
}

/**
 * Reads many values by one statement at a time: what is asked for while a read is running is read
 * together by the next one. `read` returns the values in the order of the keys.
 */
export function createBatches<Value>(
  read: (keys: string[]) => Promise<Value[]>,
  { pauseMs, sizeMax, waitingMax, whenFull }: BatchOptions,
): (key: string) => Promise<Value> {
  const waiting = new Map<string, Waiter<Value>>()
  let isReading = false

  async function readNext(): Promise<void> {
    const batch = [...waiting].slice(0, sizeMax)
    for (const [key] of batch) waiting.delete(key)
    try {
      const values = await read(batch.map(([key]) => key))
      for (const [at, [, waiter]] of batch.entries()) waiter.resolve(values[at])
    } catch (error) {
      for (const [, waiter] of batch) waiter.reject(error)
    }
  }

  async function readAll(): Promise<void> {
    isReading = true
    while (waiting.size > 0) {
      await readNext()
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs).unref())
    }
    isReading = false
  }

  return async (key) => {
    const same = waiting.get(key)
    if (same) return same.promise
    if (waiting.size >= waitingMax) throw whenFull()
    const waiter = newWaiter<Value>()
    waiting.set(key, waiter)
    if (!isReading) void readAll()
    return waiter.promise
  }
}

function newWaiter<Value>(): Waiter<Value> {
  let resolve: Waiter<Value>['resolve'] = () => {}
  let reject: Waiter<Value>['reject'] = () => {}
  const promise = new Promise<Value>((onValue, onError) => {
    resolve = onValue
    reject = onError
  })
  return { promise, resolve, reject }
}
