/** Returns a function that runs once at a time: callers during a run get the result of that run. */
export function shareRun<Value>(run: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined
  return () => {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
}
