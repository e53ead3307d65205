import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../../../notices/mailing/render-mail.ts'
import { dateOf, factsOf, nameOf, priceOf, type SharedStone } from './share-facts.ts'
import { STYLE } from './share-style.ts'
import { fill, type PageTexts } from './share-texts.ts'

/** A page without scripts that loads nothing but pictures of this server. */
const POLICY =
  `default-src 'none'; img-src 'self'; style-src 'sha256-${digestOf(STYLE)}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/** Below the address of a page: the same as a PDF. */
export const SHARE_PDF = 'stones.pdf'

interface SharedPage {
  texts: PageTexts
  /** The address of the page, below which its pictures are. */
  path: string
  shop: { name: string; url: string | null }
  title: string | null
  note: string | null
  stones: readonly SharedStone[]
  nowMs: number
  endMs: number
}

/** Writes the page of a share. What the merchant typed is shown as it is, and never as HTML. */
export function sendSharedPage(reply: FastifyReply, page: SharedPage): FastifyReply {
  const { texts, shop, stones, note, nowMs, endMs } = page
  const title = page.title ?? titleOf(stones, texts)
  const facts = factsOf(stones, texts)
  const cards = stones.map((stone, index) => {
    const own = facts.map(({ label, values }) => ({ label, value: values[index] }))
    return cardOf(stone, own, page)
  })
  const dates = { now: dateOf(nowMs, texts), end: dateOf(endMs, texts) }
  const body =
    `<header class="brand">${shopOf(shop)}</header>\n<main>\n` +
    `<h1${page.title === null ? '' : ' lang=""'}>${escapeHtml(title)}</h1>\n` +
    `${note === null ? '' : noteOf(note)}` +
    `<div class="stones${stones.length === 1 ? ' is-one' : ''}">\n${cards.join('\n')}\n</div>\n` +
    `</main>\n<footer><p>${escapeHtml(fill(texts.until, dates))}</p>\n` +
    `<p><a href="${escapeHtml(page.path)}/${SHARE_PDF}">${escapeHtml(texts.pdf)}</a></p></footer>`
  return sendPage(reply.code(200), texts, `${title} – ${shop.name}`, body)
}

/** One page for a link that ended, was revoked or never existed: nobody can tell them apart. */
export function sendMissingPage(reply: FastifyReply, texts: PageTexts): FastifyReply {
  return sendMissing(reply, texts, [texts.missing, texts.missingWhy, texts.missingHelp])
}

/** For a file of a stone that is shown by itself, such as a certificate. */
export function sendMissingFile(reply: FastifyReply, texts: PageTexts): FastifyReply {
  return sendMissing(reply, texts, [texts.missingFile, texts.missingFileWhy, texts.missingFileHelp])
}

function sendMissing(reply: FastifyReply, texts: PageTexts, said: string[]): FastifyReply {
  const [title, why, help] = said.map(escapeHtml)
  const body = `<main class="missing">\n<h1>${title}</h1>\n<p>${why}</p>\n<p>${help}</p>\n</main>`
  return sendPage(reply.code(404), texts, said[0], body)
}

/** For a moment in which the page cannot be shown; the status is set already. */
export function sendAwayPage(reply: FastifyReply, texts: PageTexts): FastifyReply {
  const { headers, html } = awayPage(texts)
  return reply.headers(headers).send(html)
}

/** The page of `sendAwayPage`, where there is no reply to send it with. */
export function awayPage(texts: PageTexts): HtmlPage {
  const body =
    `<main class="missing">\n<h1>${escapeHtml(texts.away)}</h1>\n` +
    `<p>${escapeHtml(texts.awayHelp)}</p>\n` +
    `<p><a href="">${escapeHtml(texts.again)}</a></p>\n</main>`
  return pageOf(texts, texts.away, body)
}

function noteOf(note: string): string {
  const lines = note.split('\n').map(escapeHtml)
  return `<p class="note" lang="">${lines.join('<br>')}</p>\n`
}

export function titleOf(stones: readonly SharedStone[], texts: PageTexts): string {
  if (stones.length === 1) return nameOf(stones[0].stone, texts)
  return fill(texts.selection, { count: stones.length })
}

function shopOf({ name, url }: SharedPage['shop']): string {
  const text = escapeHtml(name)
  const isSite = url !== null && /^https?:$/.test(URL.parse(url)?.protocol ?? '')
  return isSite ? `<a href="${escapeHtml(url)}" rel="noopener noreferrer">${text}</a>` : text
}

function cardOf(
  shared: SharedStone,
  facts: readonly { label: string; value: string | null }[],
  { texts, path, stones }: SharedPage,
): string {
  const { sku, stone, status, views } = shared
  const name = escapeHtml(nameOf(stone, texts))
  const base = escapeHtml(`${path}/${encodeURIComponent(sku)}`)
  const links = [
    views.certificate && `<a href="${base}/certificate">${texts.viewCertificate}</a>`,
    views.bottom && `<a href="${base}/bottom">${texts.viewBottom}</a>`,
    views.video && `<a href="${base}/video">${texts.viewVideo}</a>`,
  ].filter(Boolean)
  const rows = facts.map(
    ({ label, value }) =>
      `<div><dt>${label}</dt><dd>${value === null ? '–' : escapeHtml(value)}</dd></div>`,
  )
  return (
    `<article class="stone is-${status}">\n` +
    `<div class="picture"><img src="${base}/top" alt="${name}" width="400" height="400"></div>\n` +
    `<div class="about">\n${stones.length === 1 ? '' : `<h2>${name}</h2>\n`}` +
    termsOf(shared, texts) +
    `<dl>${rows.join('')}</dl>\n` +
    `${links.length === 0 ? '' : `<p class="links">${links.join(' ')}</p>\n`}` +
    '</div>\n</article>'
  )
}

/** A stone that is not on sale has no price: the next one may cost something else. */
function termsOf({ stone, status }: SharedStone, texts: PageTexts): string {
  const state = status === 'available' ? '' : `<span class="state">${texts[status]}</span>`
  if (status === 'sold' || status === 'withdrawn') return `<p class="terms">${state}</p>\n`
  const price = escapeHtml(priceOf(stone, texts))
  return `<p class="terms"><span class="price">${price}</span> ${state}</p>\n`
}

function sendPage(reply: FastifyReply, texts: PageTexts, title: string, body: string) {
  const { headers, html } = pageOf(texts, title, body)
  return reply.headers(headers).send(html)
}

export interface HtmlPage {
  headers: Record<string, string>
  html: string
}

function pageOf(texts: PageTexts, title: string, body: string): HtmlPage {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-language': languageOf(texts),
    vary: 'Accept-Language',
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
  }
  const html =
    `<!doctype html>\n<html lang="${languageOf(texts)}">\n<head>\n<meta charset="utf-8">\n` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n' +
    '<meta name="robots" content="noindex, nofollow">\n' +
    `<title>${escapeHtml(title)}</title>\n<style>${STYLE}</style>\n</head>\n` +
    `<body>\n${body}\n</body>\n</html>\n`
  return { headers, html }
}

function languageOf({ locale }: PageTexts): string {
  return locale.slice(0, 2)
}
