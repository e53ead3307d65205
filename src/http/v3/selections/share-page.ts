import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { findMediaLink } from '../../../feeds/media/media-store.ts'
import { renderExtensions, renderGem } from '../../../gems/gem-rendering.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { millisecondsOf } from '../../../lib/timestamps.ts'
import type { Merchant } from '../../../merchants/merchant.ts'
import { priceListOf } from '../../../pricing/price-list.ts'
import { MEDIA_VIEWS } from '../../../reference/media.ts'
import { type ChosenStone, readChosen } from '../../../saved-searches/selections/chosen-stones.ts'
import { findShare } from '../../../saved-searches/selections/shares.ts'
import { withoutHidden } from '../../response/hidden-fields.ts'
import { type App, publicAccess } from '../../route.ts'
import type { StoneSchema } from '../../schemas/inventory.ts'
import type { Services } from '../../services.ts'
import { sendMedium } from '../media.ts'
import type { SharedStone } from './share-facts.ts'
import {
  SHARE_PDF,
  sendAwayPage,
  sendMissingFile,
  sendMissingPage,
  sendSharedPage,
} from './share-html.ts'
import { renderSharePdf } from './share-pdf.ts'
import { textsFor } from './share-texts.ts'

export const SHARE_PATH = '/share'
/** The addresses of pages and of their PDFs, but not of pictures. */
export const SHARE_PAGES = new RegExp(`^${SHARE_PATH}/[^/]+(/${SHARE_PDF})?$`)
const config = { access: publicAccess, undocumented: true } as const
const pageConfig = {
  ...config,
  problemPage: (request: FastifyRequest, reply: FastifyReply) =>
    sendAwayPage(reply, textsFor(request.headers['accept-language'])),
} as const

interface PageRoute {
  Params: { code: string }
}
interface MediaRoute {
  Params: { code: string; sku: string; view: string }
}

/**
 * The pages behind share links. Anyone who has the link may open it, and it counts against the
 * address as every call without a key does.
 */
export function registerSharePage(app: App, services: Services): void {
  const { db, clock } = services

  app.get<PageRoute>(`${SHARE_PATH}/:code`, { config: pageConfig }, async (request, reply) => {
    const { code } = request.params
    const texts = textsFor(request.headers['accept-language'])
    const found = await readShared(services, code)
    if (!found) return sendMissingPage(reply, texts)
    const path = `${SHARE_PATH}/${encodeURIComponent(code)}`
    return sendSharedPage(reply, { ...found, texts, path })
  })

  const pdfPath = `${SHARE_PATH}/:code/${SHARE_PDF}`
  app.get<PageRoute>(pdfPath, { config: pageConfig }, async (request, reply) => {
    const texts = textsFor(request.headers['accept-language'])
    const found = await readShared(services, request.params.code)
    if (!found) return sendMissingPage(reply, texts)
    const pdf = await renderSharePdf(services, { ...found, texts })
    return reply
      .header('content-type', 'application/pdf')
      .header('content-disposition', 'inline; filename="stones.pdf"')
      .header('content-language', texts.locale.slice(0, 2))
      .header('vary', 'Accept-Language')
      .header('cache-control', 'no-store')
      .header('x-robots-tag', 'noindex, nofollow')
      .send(Buffer.from(pdf))
  })

  app.get<MediaRoute>(`${SHARE_PATH}/:code/:sku/:view`, { config }, async (request, reply) => {
    const { code, sku, view: name } = request.params
    const view = MEDIA_VIEWS.find((each) => each === name)
    const found = view && (await findShare(db, code))
    if (!view || !found?.share.skus.includes(sku)) throw unknownPicture()
    const viewer = { list: priceListOf(found.merchant), nowMs: clock.now() }
    const [chosen] = await readChosen(db, [sku], viewer)
    const link = chosen && (await findMediaLink(db, chosen.gem.sku, view))
    const sent = link === undefined ? undefined : await sendLinked(services, request, reply, link)
    if (sent) return sent
    // Without a picture of the stone the page shows its shape.
    if (chosen && view === 'top') return reply.redirect(`/shapes/${chosen.gem.shape}.svg`)
    // A certificate is opened by itself, where a person would read a problem document.
    const isOpened = request.headers.accept?.includes('text/html') === true
    if (isOpened) return sendMissingFile(reply, textsFor(request.headers['accept-language']))
    throw unknownPicture()
  })
}

/** What a living share shows now. */
async function readShared(services: Services, code: string) {
  const { db, clock } = services
  const found = await findShare(db, code)
  if (!found) return undefined
  const { share, merchant } = found
  const nowMs = clock.now()
  const chosen = await readChosen(db, share.skus, { list: priceListOf(merchant), nowMs })
  const stones = await Promise.all(
    chosen.map((each) => renderShared(services, merchant, each, nowMs)),
  )
  const { legal_dba: name, url, country_code } = merchant
  const { title, note } = share
  const endMs = millisecondsOf(share.expires_on)
  return { shop: { name, url, country_code }, title, note, stones, nowMs, endMs }
}

/** Sends what a link leads to, from this server; undefined when it has nothing to send. */
async function sendLinked(
  { media, publicUrl }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  link: string,
): Promise<FastifyReply | undefined> {
  const own = ownPath(link, publicUrl)
  if (own !== undefined) return reply.redirect(own)
  const medium = await media.find(link)
  if (!medium) return undefined
  // A browser does not open a PDF within the sandbox that media are sent with.
  if (medium.type === 'application/pdf') reply.header('content-disposition', 'attachment')
  return sendMedium(request, reply.header('x-robots-tag', 'noindex'), medium)
}

/** A stone at the merchant's retail price, as a publishable key of the merchant would see it. */
async function renderShared(
  { diamonds, publicUrl, media }: Services,
  merchant: Merchant,
  { sku, status, gem }: ChosenStone,
  nowMs: number,
): Promise<SharedStone> {
  const product = gem.product_type === 'gemstone' ? 'gemstone' : 'diamond'
  const rules = await diamonds.rules.get(merchant, merchant.currency_code, product)
  const { species, origin } = gem
  const stone = withoutHidden({
    ...renderGem(gem, rules, publicUrl, nowMs),
    ...renderExtensions(gem),
    ...(product === 'gemstone' && { species, origin }),
  })
  const canShow = (link: string | null) =>
    link !== null && (media.isOn || ownPath(link, publicUrl) !== undefined)
  const views = {
    bottom: canShow(gem.image_bottom_url),
    video: canShow(gem.video_url),
    certificate: canShow(gem.cert_url),
  }
  // The rendered fields have the declared types; TypeScript does not know it of each.
  return { sku, status, views, stone: stone as unknown as Static<typeof StoneSchema> }
}

/** The path of a picture that this server draws, as that of a demo market. */
function ownPath(link: string, publicUrl: string): string | undefined {
  const url = URL.parse(link)
  return url && url.origin === new URL(publicUrl).origin ? url.pathname : undefined
}

function unknownPicture(): Refusal {
  return new Refusal('not_found', 'There is no such picture.')
}
