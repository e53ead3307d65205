import type { FastifyReply } from 'fastify'
import { Refusal } from '../../lib/refusal.ts'
import { drawCertificate } from '../../pictures/certificate-sheet.ts'
import { DEMO_FRAME_COUNT, DEMO_MEDIA_PATH, findDemoPicture } from '../../pictures/demo-names.ts'
import { drawBottom, drawFrame, drawTop, drawTurning } from '../../pictures/demo-pictures.ts'
import { drawPiece, findPiece } from '../../pictures/jewelry-picture.ts'
import { type App, publicAccess } from '../route.ts'
import type { Services } from '../services.ts'
import { findCertificateRows } from './certificate.ts'
import { CACHE_FOREVER, PICTURE_POLICY } from './shapes.ts'
import { VIEWER_POLICY, VIEWER_SCRIPT, viewerPage } from './viewer.ts'

const config = { access: publicAccess, undocumented: true } as const

const VIEWS = { top: drawTop, bottom: drawBottom, turn: drawTurning } as const

/** Pictures of the demo market. They are drawn on request; a file's name says what it shows. */
export function registerDemoMedia(app: App, { db }: Services): void {
  for (const [view, draw] of Object.entries(VIEWS)) {
    app.get(`${DEMO_MEDIA_PATH}/${view}/:file`, { config }, (request, reply) => {
      const { file } = request.params as { file: string }
      sendPicture(reply, draw(getPicture(file.replace(/\.svg$/, ''))))
    })
  }
  for (const folder of ['jewelry', 'jewelry/turn']) {
    app.get(`${DEMO_MEDIA_PATH}/${folder}/:file`, { config }, (request, reply) => {
      const { file } = request.params as { file: string }
      const piece = findPiece(file.replace(/\.svg$/, ''))
      if (!piece) throw unknownPicture(file)
      sendPicture(reply, drawPiece(piece, folder === 'jewelry/turn'))
    })
  }
  app.get(`${DEMO_MEDIA_PATH}/frames/:name/:file`, { config }, (request, reply) => {
    const { name, file } = request.params as { name: string; file: string }
    const frame = /^(\d{1,2})\.svg$/.exec(file)
    if (!frame || Number(frame[1]) >= DEMO_FRAME_COUNT) throw unknownPicture(`${name}/${file}`)
    sendPicture(reply, drawFrame(getPicture(name), Number(frame[1]), DEMO_FRAME_COUNT))
  })
  app.get(`${DEMO_MEDIA_PATH}/view/:file`, { config }, (request, reply) => {
    const { file } = request.params as { file: string }
    const name = file.replace(/\.html$/, '')
    const { shape } = getPicture(name)
    reply.header('content-security-policy', VIEWER_POLICY).header('cache-control', CACHE_FOREVER)
    reply.header('content-type', 'text/html; charset=utf-8').send(viewerPage(name, shape))
  })
  app.get(`${DEMO_MEDIA_PATH}/viewer.js`, { config }, (_request, reply) => {
    reply.header('content-type', 'text/javascript; charset=utf-8').send(VIEWER_SCRIPT)
  })
  app.get(`${DEMO_MEDIA_PATH}/certificates/:file`, { config }, async (request, reply) => {
    const { file } = request.params as { file: string }
    const number = /^([A-Z0-9]{6,16})\.svg$/.exec(file)?.[1]
    const rows = number && (await findCertificateRows(db, number))
    if (!number || !rows) throw new Refusal('not_found', `There is no certificate ${file}.`)
    reply.header('cache-control', 'public, max-age=3600')
    reply.header('content-security-policy', PICTURE_POLICY)
    return reply.header('content-type', 'image/svg+xml').send(drawCertificate(number, rows))
  })
}

function getPicture(name: string) {
  const picture = findDemoPicture(name)
  if (!picture) throw unknownPicture(name)
  return picture
}

function unknownPicture(name: string): Refusal {
  return new Refusal('not_found', `There is no picture ${name}.`)
}

function sendPicture(reply: FastifyReply, picture: string): void {
  reply.header('cache-control', CACHE_FOREVER).header('content-security-policy', PICTURE_POLICY)
  reply.header('content-type', 'image/svg+xml').send(picture)
}
