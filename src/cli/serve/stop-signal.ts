/** The signals that ask the server to stop. A terminal sends SIGHUP when it is closed. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** `npm start` and shells pass on a signal that the process also gets itself. */
const SAME_REQUEST_MS = 1_000

/** Resolves with the first signal that asks to stop; a later SIGINT or SIGTERM ends the process. */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined
    for (const signal of STOP_SIGNALS) {
      process.on(signal, () => {
        firstAtMs ??= performance.now()
        resolve(signal)
        const isRepeated = performance.now() - firstAtMs > SAME_REQUEST_MS
        if (isRepeated && signal !== 'SIGHUP') process.exit(1)
      })
    }
  })
}
