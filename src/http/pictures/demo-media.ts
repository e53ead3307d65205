import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { Refusal } from '../../lib/refusal.ts'
import { drawCertificate } from '../../pictures/certificate-sheet.ts'
import { DEMO_FRAME_COUNT, DEMO_MEDIA_PATH, findDemoPicture } from '../../pictures/demo-names.ts'
import { findPiece } from '../../pictures/jewelry-picture.ts'
import { type App, publicAccess } from '../route.ts'
import type { Services } from '../services.ts'
import { findCertificateRows } from './certificate.ts'
import { watchDemoMarket } from './demo-market.ts'
import type { Drawing } from './drawing.ts'
import type { Drawings } from './drawings.ts'
import { CACHE_FOREVER, PICTURE_POLICY, sendPicture } from './send-picture.ts'
import { VIEWER_POLICY, VIEWER_SCRIPT, viewerPage } from './viewer.ts'

const config = { access: publicAccess, undocumented: true } as const

interface FileParams {
  file: string
  name: string
}

/**
 * Pictures of the demo market, whose names say what they show. Without a demo market there are
 * none: the server draws nothing for strangers that no stone needs.
 */
export function registerDemoMedia(app: App, { db }: Services, drawings: Drawings): void {
  const isDemoMarket = watchDemoMarket(db)
  const serve = (path: string, handler: RouteHandlerMethod) => {
    const preHandler = async (request: FastifyRequest) => {
      if (!(await isDemoMarket())) throw unknownPicture((request.params as FileParams).file ?? path)
    }
    app.get(`${DEMO_MEDIA_PATH}${path}`, { config, preHandler }, handler)
  }
  const servePicture = (path: string, read: (params: FileParams) => Drawing) =>
    serve(path, async (request, reply) => {
      const drawing = read(request.params as FileParams)
      return sendPicture(request, reply, await drawings.get(JSON.stringify(drawing), drawing))
    })
  for (const kind of ['top', 'bottom', 'turn'] as const) {
    servePicture(`/${kind}/:file`, ({ file }) => ({ kind, picture: getPicture(nameOf(file)) }))
  }
  servePicture('/jewelry/:file', ({ file }) => getPiece(file, false))
  servePicture('/jewelry/turn/:file', ({ file }) => getPiece(file, true))
  servePicture('/frames/:name/:file', getFrame)
  serve('/view/:file', async (request, reply) => {
    const name = (request.params as FileParams).file.replace(/\.html$/, '')
    const { shape } = getPicture(name)
    reply.header('content-security-policy', VIEWER_POLICY).header('cache-control', CACHE_FOREVER)
    return reply.header('content-type', 'text/html; charset=utf-8').send(viewerPage(name, shape))
  })
  serve('/viewer.js', async (_request, reply) =>
    reply.header('content-type', 'text/javascript; charset=utf-8').send(VIEWER_SCRIPT),
  )
  serve('/certificates/:file', async (request, reply) => {
    const { file } = request.params as FileParams
    const number = /^([A-Z0-9]{6,16})\.svg$/.exec(file)?.[1]
    const rows = number && (await findCertificateRows(db, number))
    if (!number || !rows) throw new Refusal('not_found', `There is no certificate ${file}.`)
    return sendCertificate(reply, drawCertificate(number, rows))
  })
}

/** A certificate is text with a few lines, drawn in no time; its stone may change. */
function sendCertificate(reply: FastifyReply, sheet: string): FastifyReply {
  reply.header('cache-control', 'public, max-age=3600')
  reply.header('content-security-policy', PICTURE_POLICY)
  return reply.header('content-type', 'image/svg+xml').send(sheet)
}

const DRAWN = new RegExp(`^${DEMO_MEDIA_PATH}/(top|bottom|turn|jewelry)/([^/]+)$`)
const FRAME = new RegExp(`^${DEMO_MEDIA_PATH}/frames/([^/]+)/([^/]+)$`)

/** What a link to a picture of the demo market shows, if it is one of this server. */
export function findDemoDrawing(link: string, publicUrl: string): Drawing | undefined {
  if (!URL.canParse(link) || new URL(link).origin !== new URL(publicUrl).origin) return undefined
  const { pathname } = new URL(link)
  const frame = FRAME.exec(pathname)
  if (frame) return getFrame({ name: frame[1], file: frame[2] })
  const [, kind, file] = DRAWN.exec(pathname) ?? []
  if (kind === 'jewelry') return getPiece(file, false)
  if (kind !== 'top' && kind !== 'bottom' && kind !== 'turn') return undefined
  return { kind, picture: getPicture(nameOf(file)) }
}

function nameOf(file: string): string {
  return file.replace(/\.svg$/, '')
}

function getFrame({ name, file }: FileParams): Drawing {
  const frame = /^(\d{1,2})\.svg$/.exec(file)
  if (!frame || Number(frame[1]) >= DEMO_FRAME_COUNT) throw unknownPicture(`${name}/${file}`)
  return { kind: 'frame', picture: getPicture(name), frame: Number(frame[1]) }
}

function getPiece(file: string, isTurning: boolean): Drawing {
  const piece = findPiece(nameOf(file))
  if (!piece) throw unknownPicture(file)
  return { kind: 'piece', piece, isTurning }
}

function getPicture(name: string) {
  const picture = findDemoPicture(name)
  if (!picture) throw unknownPicture(name)
  return picture
}

function unknownPicture(name: string): Refusal {
  return new Refusal('not_found', `There is no picture ${name}.`)
}
