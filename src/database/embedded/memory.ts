import { totalmem } from 'node:os'

const MEGABYTE = 1024 * 1024
/** Enough for a small market, and as much as the stones of a large one need. */
const SHARED_BUFFERS_MB = { min: 128, max: 4096 }

/** The memory of the machine in bytes, or what its container allows. */
export function machineMemory(): number {
  // Node returns 0 or a number beyond any memory where there is no such limit.
  const allowed = process.constrainedMemory()
  return Math.min(totalmem(), allowed || Number.POSITIVE_INFINITY)
}

/**
 * PostgreSQL keeps an eighth of the memory for its pages; the index of the stones and the system's
 * file cache need the rest. With 256 MB, a market of a million stones read most pages again for
 * every change (bench/doubles.ts).
 */
export function memorySettings(bytes: number): Record<string, string> {
  const megabytes = bytes / MEGABYTE
  const { min, max } = SHARED_BUFFERS_MB
  const buffers = Math.min(Math.max(Math.floor(megabytes / 8), min), max)
  return {
    shared_buffers: `${buffers}MB`,
    // Reserves nothing: it tells the planner how much of the tables is likely to be in memory.
    effective_cache_size: `${Math.max(Math.floor(megabytes / 2), 2 * buffers)}MB`,
  }
}
