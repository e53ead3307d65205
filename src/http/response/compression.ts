import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SentPage } from '../../gems/search/recent-pages.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The page that is sent, if it may be sent again; then it is compressed once. */
    sentPage: SentPage | null
  }
}

/** A smaller response fits into one packet anyway. */
const BYTES_MIN = 1024
const COMPRESSIBLE = /^(text\/|application\/(json|problem\+json|javascript)|image\/svg\+xml)/

type Done = (error: Error | null, bytes: Buffer) => void

/** The supported codings, best first, both at a level that needs little time. */
const CODINGS = {
  br: (bytes: string | Buffer, done: Done) =>
    brotliCompress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done),
  gzip: (bytes: string | Buffer, done: Done) => gzip(bytes, { level: 4 }, done),
}
type Coding = keyof typeof CODINGS

/**
 * Compresses whole responses, in zlib's threads, for callers who accept it. Streams and what is
 * compressed already are left as they are; the snapshot, the only long stream, compresses itself.
 */
export function compress(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, sent: unknown) => void,
): void {
  const accepted = request.headers['accept-encoding']
  // Without Accept-Encoding any response will do, so caches need no Vary header either.
  if (accepted === undefined || request.method === 'HEAD' || !isWorthIt(reply, payload)) {
    done(null, payload)
    return
  }
  reply.header('vary', 'accept-encoding')
  const coding = codingFor(accepted)
  if (coding === undefined) {
    done(null, payload)
    return
  }
  // Another stage may have changed what is sent.
  const known = reply.sentPage?.bytes === payload ? reply.sentPage.compressed : undefined
  const send = (bytes: Buffer) => {
    reply.header('content-encoding', coding).removeHeader('content-length')
    done(null, bytes)
  }
  const compressed = known?.get(coding)
  if (compressed) send(compressed)
  else {
    CODINGS[coding](payload, (error, bytes) => {
      if (error) return done(error, bytes)
      known?.set(coding, bytes)
      send(bytes)
    })
  }
}

function isWorthIt(reply: FastifyReply, payload: unknown): payload is string | Buffer {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false
  if (payload.length < BYTES_MIN || reply.hasHeader('content-encoding')) return false
  return COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''))
}

function codingFor(header: string): Coding | undefined {
  const qualityOf = qualitiesIn(header)
  const best = qualityOf('gzip') > qualityOf('br') ? 'gzip' : 'br'
  return qualityOf(best) > 0 ? best : undefined
}

/** For streams, which are compressed with gzip only. */
export function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && qualitiesIn(header)('gzip') > 0
}

/** How much a caller prefers each coding: `gzip;q=0` refuses one, `*` accepts any. */
function qualitiesIn(header: string): (coding: Coding) => number {
  const accepted = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name, quality] = part.split(';').map((piece) => piece.trim())
    accepted.set(name, quality?.startsWith('q=') ? Number(quality.slice(2)) : 1)
  }
  return (coding) => accepted.get(coding) ?? accepted.get('*') ?? 0
}
