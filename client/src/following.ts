/** What following the market and following events have in common. */
import { ChangesExpiredError } from './error-codes.ts'
import {
  ConnectionError,
  type PavilionError,
  TooManyRequestsError,
  UnavailableError,
} from './errors.ts'
import { sleep } from './request.ts'

export interface FollowOptions {
  /** The `sequence` that you stored last. */
  after?: number | null | undefined
  /** False: end when there is nothing new, instead of waiting for it. */
  follow?: boolean | undefined
  /** Ends the iteration. */
  signal?: AbortSignal | undefined
  /** Called when the market cannot be reached and is tried again, for as long as it takes. */
  onRetry?: ((error: PavilionError, waitMs: number) => void) | undefined
}

/** The longest that the server allows. */
export const WAIT_SECONDS = 30
const RETRY_MS_MIN = 1_000
const RETRY_MS_MAX = 30_000

export type Patience = ReturnType<typeof createPatience>

/**
 * Once the market was reached, waits for it when it is away: a follower runs for months. Who was
 * never reached is not waited for, because the address may be wrong.
 */
export function createPatience(signal: AbortSignal | undefined, onRetry: FollowOptions['onRetry']) {
  let wasReached = false
  return async <T>(read: () => Promise<T>): Promise<T | 'aborted' | 'expired'> => {
    for (let waitMs = RETRY_MS_MIN; ; waitMs = Math.min(waitMs * 2, RETRY_MS_MAX)) {
      try {
        const page = await read()
        wasReached = true
        return page
      } catch (error) {
        if (signal?.aborted) return 'aborted'
        if (error instanceof ChangesExpiredError) return 'expired'
        if (!wasReached || !isAway(error)) throw error
        onRetry?.(error, waitMs)
        await sleep(waitMs, signal).catch(() => undefined)
        if (signal?.aborted) return 'aborted'
      }
    }
  }
}

function isAway(error: unknown): error is PavilionError {
  return (
    error instanceof ConnectionError ||
    error instanceof UnavailableError ||
    error instanceof TooManyRequestsError
  )
}
