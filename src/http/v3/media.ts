import { createReadStream } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CachedMedium } from '../../feeds/media/media-cache.ts'
import { findFrameLink, findMediaLink } from '../../feeds/media/media-store.ts'
import { Refusal } from '../../lib/refusal.ts'
import { findDemoDrawing } from '../pictures/demo-media.ts'
import type { Drawings, Drawn } from '../pictures/drawings.ts'
import { isUnchanged } from '../response/etag.ts'
import { type App, merchantOrOperatorWith } from '../route.ts'
import { FrameParams, MediaParams, MediaSchema } from '../schemas/inventory.ts'
import type { Services } from '../services.ts'

/** What a picture shows does not change; a supplier that replaces it gives it another address. */
const CACHE = 'private, max-age=86400'
/** Opened by itself it runs nothing and loads nothing. */
const POLICY = "default-src 'none'; sandbox"

const config = { access: merchantOrOperatorWith('inventory:read'), hasEtag: true } as const
const tags = ['Inventory']
const response = { 200: MediaSchema }

/** Pictures, videos and certificates of suppliers, fetched and kept by this server. */
export function registerMedia(app: App, services: Services, drawings: Drawings): void {
  const { db, media, publicUrl } = services

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { link, name }: { link: string | undefined; name: string },
  ) {
    const drawing = link === undefined ? undefined : findDemoDrawing(link, publicUrl)
    if (drawing) {
      return sendDrawn(request, reply, await drawings.get(JSON.stringify(drawing), drawing))
    }
    const medium = link === undefined ? undefined : await media.find(link)
    if (!medium) throw new Refusal('not_found', `There is no ${name} to show.`)
    return sendMedium(request, reply, medium)
  }

  app.get(
    '/api/v3/inventory/media/:sku/:view',
    {
      config,
      schema: {
        tags,
        summary: 'Returns a picture, a video or the certificate of a stone or a piece of jewelry',
        description:
          'The server fetches it from the supplier once, if the operator allows its host ' +
          '(`MEDIA_HOSTS`), and keeps it. It is a JPEG, PNG, GIF, WebP, AVIF, MP4, WebM or PDF; ' +
          'anything else is 404, and so is what cannot be fetched. The pictures of a demo ' +
          'market, which the server draws itself, are SVG. turn is the 360 degree view, where ' +
          'it is a video or a picture and not a page of the supplier.',
        params: MediaParams,
        response,
      },
    },
    async (request, reply) => {
      const { sku, view } = request.params
      const link = await findMediaLink(db, sku, view)
      return send(request, reply, { link, name: `${view} of ${sku}` })
    },
  )

  app.get(
    '/api/v3/inventory/media/:sku/frames/:frame',
    {
      config,
      schema: {
        tags,
        summary: 'Returns one frame of the 360 degree view of a stone',
        description:
          '`v360_info.frame_count` says how many there are. The server fetches the file ' +
          '`{frame}.{image_ext}` below `v360_json_base_url` as it does other media.',
        params: FrameParams,
        response,
      },
    },
    async (request, reply) => {
      const { sku, frame } = request.params
      const link = await findFrameLink(db, sku, frame)
      return send(request, reply, { link, name: `frame ${frame} of ${sku}` })
    },
  )
}

function sendDrawn(request: FastifyRequest, reply: FastifyReply, { bytes, etag }: Drawn) {
  reply.header('content-security-policy', POLICY)
  if (isUnchanged(request, reply, etag, CACHE)) return reply.code(304).send()
  return reply.header('content-type', 'image/svg+xml').send(bytes)
}

/** Sends a file that was fetched from a supplier, in a way that nothing in it can run. */
export function sendMedium(request: FastifyRequest, reply: FastifyReply, medium: CachedMedium) {
  const { path, type, bytes, etag } = medium
  reply.header('content-security-policy', POLICY)
  if (isUnchanged(request, reply, etag, CACHE)) return reply.code(304).send()
  reply.header('content-type', type).header('content-length', bytes)
  return reply.send(createReadStream(path))
}
