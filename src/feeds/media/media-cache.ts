import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../lib/refusal.ts'
import { fetchMedia, isMediaAddress, type MediaHosts, readMediaType } from './fetch-media.ts'

export interface MediaSettings extends MediaHosts {
  /** Where fetched files are kept. A node may lose them at any time. */
  folder: string
  /** How much space they take at most, and a tenth more for each process of the node. */
  bytesMax: number
}

export interface CachedMedium {
  path: string
  type: string
  bytes: number
  etag: string
}

/** Media of suppliers, fetched once and kept on disk. */
export interface MediaCache {
  /** Whether there are hosts to fetch from. */
  isOn: boolean
  /** Returns the file behind a link; undefined when it cannot be had. */
  find(link: string): Promise<CachedMedium | undefined>
}

/** More at once would only make each of them slower. */
const FETCHES_MAX = 8
/** A few pages of a search. Beyond it callers try again, so that the queue stays short. */
const WAITING_MAX = 200
/** What could not be fetched is not tried again for this long. */
const FAILED_MS = 10 * 60_000
const FAILED_MAX = 10_000
/** The time of last use is written this rarely. */
const USED_MS = 3_600_000
/** After as much new data as this part of the limit, the oldest files are removed. */
const SWEEP_SHARE = 0.1

export function createMediaCache(settings: MediaSettings): MediaCache {
  const { folder, bytesMax } = settings
  const running = new Map<string, Promise<CachedMedium | undefined>>()
  const failed = new Map<string, number>()
  const run = createQueue()
  // A new process does not know what others have left.
  let unswept = Number.POSITIVE_INFINITY

  async function fetchOnce(link: string, path: string): Promise<CachedMedium | undefined> {
    const temporary = `${path}.${randomUUID()}`
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await fetchMedia(link, temporary, settings)
      await rename(temporary, path)
    } catch {
      await rm(temporary, { force: true })
      noteFailure(link)
      return undefined
    }
    const medium = await findFile(path)
    unswept += medium?.bytes ?? 0
    if (unswept > bytesMax * SWEEP_SHARE) {
      unswept = 0
      await removeOldest(folder, bytesMax)
    }
    return medium
  }

  function noteFailure(link: string): void {
    failed.delete(link)
    failed.set(link, performance.now() + FAILED_MS)
    for (const [oldest] of failed) {
      if (failed.size <= FAILED_MAX) break
      failed.delete(oldest)
    }
  }

  return {
    isOn: settings.hosts.length > 0,
    async find(link) {
      if (!isMediaAddress(link, settings)) return undefined
      const path = join(folder, createHash('sha256').update(link).digest('hex'))
      const known = await findFile(path)
      if (known) return known
      if ((failed.get(link) ?? 0) > performance.now()) return undefined
      let fetching = running.get(link)
      if (!fetching) {
        fetching = run(() => fetchOnce(link, path)).finally(() => running.delete(link))
        running.set(link, fetching)
      }
      return fetching
    },
  }
}

async function findFile(path: string): Promise<CachedMedium | undefined> {
  try {
    const { size, mtimeMs } = await stat(path)
    const type = await readMediaType(path)
    if (type === undefined) return undefined
    const nowMs = performance.timeOrigin + performance.now()
    if (nowMs - mtimeMs > USED_MS) await utimes(path, nowMs / 1000, nowMs / 1000)
    return { path, type, bytes: size, etag: `"${path.slice(-32)}-${size}"` }
  } catch {
    // It was never fetched, or another process has just removed it.
    return undefined
  }
}

/** Removes the files that were used longest ago, until the others fit. */
async function removeOldest(folder: string, bytesMax: number): Promise<void> {
  const names = await readdir(folder)
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const entry = await stat(path).catch(() => undefined)
      return entry ? [{ path, usedMs: entry.mtimeMs, bytes: entry.size }] : []
    }),
  )
  const oldest = files.flat().sort((a, b) => a.usedMs - b.usedMs)
  let total = oldest.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { path, bytes } of oldest) {
    if (total <= bytesMax) return
    await rm(path, { force: true })
    total -= bytes
  }
}

/** Runs so many at a time; the others wait, up to a limit. */
function createQueue() {
  let active = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= WAITING_MAX) {
      throw new Refusal('overloaded', 'Too many pictures are being fetched; try again in a moment.')
    }
    if (active >= FETCHES_MAX) await new Promise<void>((done) => waiting.push(done))
    else active++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else active--
    }
  }
}
