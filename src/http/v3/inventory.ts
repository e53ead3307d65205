import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expireHolds } from '../../gems/holds/end-holds.ts'
import { WAITS_PER_MERCHANT_MAX } from '../../lib/slots.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import { createChangeFeed } from '../../market-feed/change-feed.ts'
import type { ChangePage } from '../../market-feed/change-pages.ts'
import { kindsFrom } from '../../market-feed/product-kinds.ts'
import { createSnapshotSlots, streamSnapshot } from '../../market-feed/snapshot.ts'
import { COSTS, rowsCost } from '../request/call-costs.ts'
import { acceptsGzip } from '../response/compression.ts'
import { followClients } from '../response/long-polls.ts'
import { onClosed } from '../response/on-closed.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import {
  ChangesExpired,
  ChangesQuery,
  ChangesSchema,
  SnapshotQuery,
  SnapshotSchema,
} from '../schemas/inventory.ts'
import type { Services } from '../services.ts'

const access = merchantWith('inventory:read')
const tags = ['Inventory']

/** The market as a snapshot and a stream of changes, for merchants that keep their own copy. */
export function registerInventory(app: App, services: Services): void {
  const { db, pools, snapshotStallMs } = services
  const snapshotSlots = createSnapshotSlots()
  const changeFeed = createChangeFeed(pools.following, services)
  const followClient = followClients(app, () => changeFeed.stop())
  app.addHook('onClose', () => changeFeed.close())
  const bodyOf = createPageBodies()

  app.get(
    '/api/v3/inventory/snapshot',
    {
      config: { access, cost: COSTS.snapshot, waits: true },
      schema: {
        tags,
        summary: 'Streams all visible products at your prices, as of one point in time',
        description:
          'Diamonds, unless product_types asks for other kinds of product. A merchant takes at ' +
          'most two snapshots at the same time; a third is refused with 429. ' +
          'A reader that takes nothing for half a minute is disconnected.',
        querystring: SnapshotQuery,
        response: { 200: SnapshotSchema },
      },
    },
    async (request, reply) => {
      const { uuid } = merchantOf(request)
      onClosed(request, reply, snapshotSlots.take(uuid))
      await expireHolds(db)
      const { product_types, include_treated: includeTreated } = request.query
      const asked = { merchantUuid: uuid, kinds: kindsFrom(product_types), includeTreated }
      const lines = Readable.from(streamSnapshot(services, asked))
      onClosed(request, reply, () => lines.destroy())
      disconnectStalled(reply, snapshotStallMs)
      return sendLines(request, reply, lines)
    },
  )

  app.get(
    '/api/v3/inventory/changes',
    {
      config: { access, cost: COSTS.changes, waits: true },
      schema: {
        tags,
        summary: 'Lists the changes after a sequence number, or waits for the next one',
        description:
          'Send the product_types of your snapshot. Returns 410 when the change log no longer ' +
          'goes back to the number: take a new snapshot. ' +
          `At most ${WAITS_PER_MERCHANT_MAX} requests of a merchant wait at the same time; ` +
          'one more is refused with 429.',
        querystring: ChangesQuery,
        response: { 200: ChangesSchema, 410: ChangesExpired },
      },
    },
    async (request, reply) => {
      const { uuid } = merchantOf(request)
      const { after, limit, wait, product_types, include_treated: includeTreated } = request.query
      const disconnected = followClient(request, reply)
      const kinds = kindsFrom(product_types)
      const asked = { merchantUuid: uuid, after, limit, kinds, includeTreated }
      const page = await changeFeed.read(asked, wait * 1000, disconnected)
      if (wait > 0) await request.checkAgain()
      await request.charge(reply, rowsCost(page.changes.length))
      return sendText(reply, bodyOf(page))
    },
  )
}

const GZIP_LEVEL = 1

/** The stream is compressed here, and only with gzip, because brotli is too slow for it. */
function sendLines(request: FastifyRequest, reply: FastifyReply, lines: Readable): FastifyReply {
  reply
    .header('content-type', 'application/x-ndjson; charset=utf-8')
    .header('vary', 'Accept-Encoding')
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(lines)
  const zipped = createGzip({ level: GZIP_LEVEL })
  lines.on('error', (error) => zipped.destroy(error))
  zipped.on('close', () => lines.destroy())
  return reply.header('content-encoding', 'gzip').send(lines.pipe(zipped))
}

function sendText(reply: FastifyReply, json: string): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(json)
}

/** Requests that share a page share its text. */
function createPageBodies(): (page: ChangePage) => string {
  const bodies = new WeakMap<ChangePage, string>()
  return (page) => {
    const body = bodies.get(page) ?? renderPage(page)
    bodies.set(page, body)
    return body
  }
}

/** Products are rendered to JSON already, so the page is put together as text around them. */
function renderPage({ changes, next, more }: ChangePage): string {
  const rendered = changes.map(({ gem, ...change }) => {
    const rest = { ...change, changed_on: isoWithOffset(change.changed_on) }
    return `${JSON.stringify(rest).slice(0, -1)},"gem":${gem ?? 'null'}}`
  })
  return `{"changes":[${rendered.join(',')}],"next":${next},"more":${more}}`
}

/** Ends the response when its reader takes nothing for this long. A slow database may. */
function disconnectStalled({ raw }: FastifyReply, stallMs: number): void {
  raw.setTimeout(stallMs, () => {
    if (raw.writableLength > 0) raw.destroy()
  })
}
