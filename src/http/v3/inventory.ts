import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expireHolds } from '../../gems/holds.ts'
import {
  type ChangePage,
  createChangeSignal,
  readChangeFeed,
} from '../../gems/market-feed/change-feed.ts'
import { createSnapshots } from '../../gems/market-feed/snapshot.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import {
  ChangesExpired,
  ChangesQuery,
  ChangesSchema,
  SnapshotSchema,
} from '../schemas/inventory.ts'
import type { Services } from '../services.ts'

const access = merchantWith('inventory')
const tags = ['Inventory']

/** The market as a snapshot and a stream of changes, for merchants that keep their own copy. */
export function registerInventory(app: App, { db, database, publicUrl }: Services): void {
  const snapshots = createSnapshots(database, publicUrl)
  const signal = createChangeSignal(database)
  // A request that waits for a change would delay the stop of the server, so it ends first.
  app.addHook('preClose', () => signal.close())

  app.get(
    '/api/v3/inventory/snapshot',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Streams all visible diamonds at your prices, as of one point in time',
        response: { 200: SnapshotSchema },
      },
    },
    async (request, reply) => {
      await expireHolds(db)
      const lines = Readable.from(snapshots.take(merchantOf(request).uuid))
      return sendLines(request, reply, lines)
    },
  )

  app.get(
    '/api/v3/inventory/changes',
    {
      config: { access },
      schema: {
        tags,
        summary: 'Lists the changes after a sequence number, or waits for the next one',
        description:
          'Returns 410 when the change log no longer goes back to the number: take a new snapshot.',
        querystring: ChangesQuery,
        response: { 200: ChangesSchema, 410: ChangesExpired },
      },
    },
    async (request, reply) => {
      const { uuid } = merchantOf(request)
      const { after, limit, wait } = request.query
      const disconnected = disconnectSignal(reply)
      const deadlineMs = Date.now() + wait * 1000
      let cursor = after
      for (;;) {
        await expireHolds(db)
        const page = await readChangeFeed(db, uuid, cursor, limit, publicUrl)
        const leftMs = deadlineMs - Date.now()
        const isDone = page.changes.length > 0 || page.more || leftMs <= 0 || disconnected.aborted
        if (isDone) return sendPage(reply, page)
        cursor = page.next
        await signal.next(leftMs, disconnected)
      }
    },
  )
}

const GZIP_LEVEL = 1

/** The stream is compressed here, and only with gzip, because brotli is too slow for it. */
function sendLines(request: FastifyRequest, reply: FastifyReply, lines: Readable): FastifyReply {
  reply
    .header('content-type', 'application/x-ndjson; charset=utf-8')
    .header('vary', 'Accept-Encoding')
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(lines)
  const zipped = createGzip({ level: GZIP_LEVEL })
  lines.on('error', (error) => zipped.destroy(error))
  zipped.on('close', () => lines.destroy())
  return reply.header('content-encoding', 'gzip').send(lines.pipe(zipped))
}

/** Gems are rendered to JSON already, so the page is put together as text around them. */
function sendPage(reply: FastifyReply, { changes, next, more }: ChangePage): FastifyReply {
  const rendered = changes.map(({ gem, ...change }) => {
    const rest = { ...change, changed_on: isoWithOffset(change.changed_on) }
    return `${JSON.stringify(rest).slice(0, -1)},"gem":${gem ?? 'null'}}`
  })
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(`{"changes":[${rendered.join(',')}],"next":${next},"more":${more}}`)
}

/** Returns a signal that aborts when the client disconnects, which ends the wait. */
function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort())
  return controller.signal
}
