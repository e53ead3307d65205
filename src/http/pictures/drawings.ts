/**
 * Draws pictures in a thread, and keeps them: a stone takes a few milliseconds, a turning one
 * forty, a PNG over a hundred, all of which would otherwise delay every other request.
 */
import { createHash } from 'node:crypto'
import { startThread } from '../../lib/start-thread.ts'
import { createThreadQueue } from '../../lib/thread-queue.ts'
import type { Drawing } from './drawing.ts'

export interface Drawn {
  bytes: Buffer
  etag: string
}

export interface Drawings {
  /** Returns the picture of this path; one that is not kept is drawn first. */
  get(path: string, drawing: Drawing): Promise<Drawn>
  close(): Promise<void>
}

/** About 70 turning stones or 1,400 others. */
const KEPT_BYTES_MAX = 32 * 1024 * 1024
/** A few pages of a search. Beyond it callers try again, so that the queue stays short. */
const WAITING_MAX = 200
const IDLE_MS = 30_000

export function createDrawings(keptBytesMax = KEPT_BYTES_MAX): Drawings {
  const kept = createKeptPictures(keptBytesMax)
  const drawing = new Map<string, Promise<Drawn>>()
  const thread = createThreadQueue<Drawing, string | Uint8Array>({
    start: () => startThread(import.meta.url, 'draw-worker', {}),
    waitingMax: WAITING_MAX,
    idleMs: IDLE_MS,
    busy: 'Too many pictures are being drawn; try again in a moment.',
  })

  async function drawAndKeep(path: string, request: Drawing): Promise<Drawn> {
    const bytes = Buffer.from(await thread.run(request))
    const etag = `"${createHash('sha1').update(bytes).digest('base64url')}"`
    const drawn = { bytes, etag }
    kept.add(path, drawn)
    return drawn
  }

  return {
    async get(path, request) {
      const drawn = kept.get(path)
      if (drawn) return drawn
      let promise = drawing.get(path)
      if (!promise) {
        promise = drawAndKeep(path, request).finally(() => drawing.delete(path))
        drawing.set(path, promise)
      }
      return promise
    },
    close: () => thread.close(),
  }
}

/** Keeps the pictures that were used last, up to a number of bytes. */
function createKeptPictures(bytesMax: number) {
  const pictures = new Map<string, Drawn>()
  let bytes = 0
  return {
    get(path: string): Drawn | undefined {
      const drawn = pictures.get(path)
      if (!drawn) return undefined
      // A Map keeps insertion order, so the picture becomes the youngest.
      pictures.delete(path)
      pictures.set(path, drawn)
      return drawn
    },
    add(path: string, drawn: Drawn): void {
      pictures.set(path, drawn)
      bytes += drawn.bytes.length
      for (const [oldest, { bytes: its }] of pictures) {
        if (bytes <= bytesMax) return
        pictures.delete(oldest)
        bytes -= its.length
      }
    },
  }
}
