import { isOutage } from './errors.ts'

/** What was read once may be used for this long while the database is away. */
export const KNOWN_MS = 60 * 60_000

/** Somebody who could be answered from memory does not wait longer than this for the database. */
const PATIENCE_MS = 300
/** The wait for an answer that must have the last commit, unless the database is away. */
export const LAST_COMMIT_MS = 3_000

/**
 * Reads again what is known from before. While the database is away or slow, what is known is
 * used, at once after the first read that failed or was late; one read at a time finds out when the
 * database is back.
 */
interface KnownReads {
  read<Value>(again: () => Promise<Value>, known: Value, patienceMs?: number): Promise<Value>
}

export function createKnownReads(): KnownReads {
  let isAway = false
  let isTrying = false

  async function attempt<Value>(again: () => Promise<Value>): Promise<Value> {
    isTrying = true
    try {
      const value = await again()
      isAway = false
      return value
    } catch (error) {
      isAway = isOutage(error)
      throw error
    } finally {
      isTrying = false
    }
  }

  return {
    async read(again, known, patienceMs = PATIENCE_MS) {
      if (isAway && isTrying) return known
      const reading = attempt(again).catch((error: unknown) => {
        if (isOutage(error)) return known
        throw error
      })
      if (isAway) {
        reading.catch(() => {})
        return known
      }
      if (patienceMs === Number.POSITIVE_INFINITY) return reading
      return orAfter(patienceMs, reading, () => {
        isAway = true
        return known
      })
    },
  }
}

/** The result of the work, or after so many milliseconds something else. */
async function orAfter<Value>(
  ms: number,
  work: Promise<Value>,
  otherwise: () => Value,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined
  const late = new Promise<Value>((resolve) => {
    // In a process that was busy, what has arrived meanwhile is read before the immediate runs.
    timer = setTimeout(() => {
      immediate = setImmediate(() => resolve(otherwise()))
    }, ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    clearImmediate(immediate)
    work.catch(() => {})
  }
}
