/**
 * Draws pictures in a thread, and keeps them: a stone takes a few milliseconds, a turning one
 * forty, a PNG over a hundred, all of which would otherwise delay every other request.
 */
import { createHash } from 'node:crypto'
import type { Worker } from 'node:worker_threads'
import { Refusal } from '../../lib/refusal.ts'
import { startThread } from '../../lib/start-thread.ts'
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
/** A thread takes a few megabytes, so it ends when nothing was drawn for this long. */
const IDLE_MS = 30_000

export function createDrawings(keptBytesMax = KEPT_BYTES_MAX): Drawings {
  const kept = createKeptPictures(keptBytesMax)
  const drawing = new Map<string, Promise<Drawn>>()
  const thread = createDrawingThread()

  async function drawAndKeep(path: string, request: Drawing): Promise<Drawn> {
    const bytes = Buffer.from(await thread.draw(request))
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

interface Waiting {
  resolve: (picture: string | Uint8Array) => void
  reject: (error: Error) => void
}

/** The thread replies in the order of its requests. */
function createDrawingThread() {
  let worker: Worker | undefined
  let waiting: Waiting[] = []
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = startThread(import.meta.url, 'draw-worker', {})
    started.unref()
    started.on('message', (picture: string | Uint8Array) => waiting.shift()?.resolve(picture))
    started.on('error', (error) => fail(started, error))
    started.on('exit', () => fail(started, new Error('the thread that draws ended early')))
    return started
  }

  function fail(ended: Worker, error: Error): void {
    if (ended !== worker) return
    const failed = waiting
    waiting = []
    worker = undefined
    for (const { reject } of failed) reject(error)
  }

  async function close(): Promise<void> {
    clearTimeout(idle)
    await worker?.terminate()
  }

  return {
    draw(drawing: Drawing): Promise<string | Uint8Array> {
      if (waiting.length >= WAITING_MAX) {
        const detail = 'Too many pictures are being drawn; try again in a moment.'
        throw new Refusal('not_ready', detail)
      }
      worker ??= start()
      worker.postMessage(drawing)
      clearTimeout(idle)
      idle = setTimeout(() => void (waiting.length === 0 && close()), IDLE_MS).unref()
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    close,
  }
}
