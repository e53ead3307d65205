import { readFileSync } from 'node:fs'

/**
 * What a process needs to serve: about a hundred files and connections to the databases of both
 * markets, and one for each connection of a client.
 */
export const DESCRIPTORS_MIN = 1024

/**
 * How many files and connections this process may have open: `ulimit -n`. Node has already raised
 * its own limit to the highest that is allowed. Systems without /proc are assumed to have none.
 */
export function readDescriptorLimit(): number {
  let text: string
  try {
    text = readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return Number.POSITIVE_INFINITY
  }
  const limit = /^Max open files +(\d+)/m.exec(text)?.[1]
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
}

/** Returns a sentence when the limit is too low to serve. */
export function findDescriptorProblem(limit: number): string | undefined {
  if (limit >= DESCRIPTORS_MIN) return undefined
  return (
    `Only ${limit} files may be open at once, and Pavilion needs ${DESCRIPTORS_MIN}; ` +
    `raise the limit with "ulimit -n ${DESCRIPTORS_MIN}" or LimitNOFILE= in the systemd unit.`
  )
}
