import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../lib/refusal.ts'
import { createSlots } from '../../lib/slots.ts'
import { openTemporaryFile, readWhole } from '../../lib/temporary-file.ts'
import type { Upload } from './upload.ts'

/**
 * Receives uploaded files into temporary files. Nothing else is done for a request before its file
 * is complete: a client that sends slowly uses no connection to the database, and no import waits
 * for it.
 */
export interface Uploads {
  /**
   * Receives the body of the request, then runs the work with it as `request.body`. The temporary
   * file is gone when the work has ended, in every way.
   */
  receive<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    fileBytesMax: number,
    work: (upload: Upload) => Promise<T>,
  ): Promise<T>
  load: () => { files: number; bytes: number }
}

/** An operator uploads some files at a time; the share leaves half of the slots to the others. */
const UPLOADS_MAX = 16
const UPLOADS_PER_TOKEN_MAX = 8
/** Together the files may take twice the space of the largest. */
const LARGEST_FILES_MAX = 2
/** A client that sends less than a slow modem is disconnected. */
const WINDOW_MS = 30_000
const BYTES_PER_WINDOW_MIN = 30 * 1024

export interface UploadLimits {
  /** The largest file. */
  fileBytesMax: number
  /** How often the speed is checked; shorter in tests. */
  windowMs?: number
}

export function createUploads({ fileBytesMax, windowMs = WINDOW_MS }: UploadLimits): Uploads {
  const space = createSpace(LARGEST_FILES_MAX * fileBytesMax)
  let files = 0
  const slots = createSlots({
    total: UPLOADS_MAX,
    perCaller: UPLOADS_PER_TOKEN_MAX,
    shareUsed: {
      code: 'too_many_uploads',
      detail: `At most ${UPLOADS_PER_TOKEN_MAX} files of a token are received at the same time.`,
    },
    allTaken: {
      code: 'uploads_full',
      detail: 'Too many files are being received; try again in a minute.',
    },
  })

  return {
    async receive(request, reply, routeBytesMax, work) {
      const bytesMax = Math.min(routeBytesMax, fileBytesMax)
      const free = slots.take(request.caller.token.uuid)
      const reserved = space.reserve()
      let file: FileHandle | undefined
      files++
      try {
        checkLength(request, bytesMax, reserved)
        file = await openTemporaryFile('feed')
        const count = (bytes: number) => checkSize(bytes, bytesMax, reserved)
        const upload = await spool(payloadOf(request), file, { count, windowMs })
        request.body = upload
        return await work(upload)
      } catch (error) {
        closeUnlessRead(request, reply)
        throw error
      } finally {
        files--
        reserved.free()
        free()
        await file?.close()
      }
    },
    load: () => ({ files, bytes: space.used() }),
  }
}

interface Reservation {
  /** Makes sure that there is space for so many bytes in all. */
  growTo(bytes: number): void
  free(): void
}

/** Shares a number of bytes between files whose size may be unknown until they end. */
function createSpace(bytesMax: number) {
  let used = 0
  function reserve(): Reservation {
    let own = 0
    return {
      growTo(bytes) {
        const more = bytes - own
        if (more <= 0) return
        if (used + more > bytesMax) {
          const detail = 'The files that are being received take all the space; try again later.'
          throw new Refusal('uploads_full', detail)
        }
        own += more
        used += more
      },
      free() {
        used -= own
        own = 0
      },
    }
  }
  return { reserve, used: () => used }
}

/** Refuses a file by the length that the client announces, before any of it is read. */
function checkLength({ headers }: FastifyRequest, bytesMax: number, reserved: Reservation): void {
  const announced = Number(headers['content-length'] ?? 0)
  checkSize(announced, bytesMax, reserved)
}

function checkSize(bytes: number, bytesMax: number, reserved: Reservation): void {
  if (bytes > bytesMax) {
    const mebibytes = Math.floor(bytesMax / 1024 ** 2)
    const detail = `The file is larger than ${mebibytes} MiB; send it gzipped or in parts.`
    throw new Refusal('file_too_large', detail)
  }
  reserved.growTo(bytes)
}

/** A request without a body has an empty file. */
function payloadOf({ body }: FastifyRequest): Readable {
  return body instanceof Readable ? body : Readable.from([])
}

interface SpoolOptions {
  /** Called with the bytes so far; throws when they are too many. */
  count: (bytes: number) => void
  windowMs: number
}

/** Writes the payload to the file. A refusal leaves the rest of the payload unread. */
async function spool(
  payload: Readable,
  file: FileHandle,
  { count, windowMs }: SpoolOptions,
): Promise<Upload> {
  // The client may have hung up while the file was opened; that is not announced again.
  if (payload.destroyed) throw new Refusal('invalid_request', HUNG_UP)
  const hash = createHash('sha256')
  let bytes = 0
  let written = Promise.resolve()
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      hash.update(chunk)
      try {
        count(bytes)
      } catch (error) {
        return done(error as Error)
      }
      written = file.writeFile(chunk).then(() => done(), done)
    },
  })
  const onClose = () => {
    if (!payload.readableEnded) sink.destroy(new Refusal('invalid_request', HUNG_UP))
  }
  payload.once('close', onClose)
  payload.once('error', onClose)
  const isOver = finished(sink)
  const stopTimer = watchSpeed({ bytes: () => bytes, windowMs }, (slow) => sink.destroy(slow))
  try {
    // Not a pipeline, which would end the connection before the refusal is sent.
    payload.pipe(sink)
    await isOver
  } finally {
    stopTimer()
    payload.off('close', onClose)
    payload.unpipe(sink)
    await written
  }
  return { digest: hash.digest('base64url'), bytes: readWhole(file) }
}

const HUNG_UP = 'The connection was closed before the file was complete.'

function watchSpeed(
  { bytes, windowMs }: { bytes: () => number; windowMs: number },
  onSlow: (refusal: Refusal) => void,
): () => void {
  let before = 0
  const timer = setInterval(() => {
    const now = bytes()
    if (now - before < BYTES_PER_WINDOW_MIN) {
      const kibibytes = BYTES_PER_WINDOW_MIN / 1024
      const detail = `Less than ${kibibytes} KiB arrived in ${windowMs / 1000} seconds.`
      onSlow(new Refusal('upload_too_slow', detail))
    }
    before = now
  }, windowMs)
  return () => clearInterval(timer)
}

/** What the client still sends is not read, so the connection ends with the response. */
function closeUnlessRead({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return
  reply.header('connection', 'close')
  reply.raw.once('finish', () => raw.destroy())
}
