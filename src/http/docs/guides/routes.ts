import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeHtml } from '../../../notices/mailing/render-mail.ts'
import { sendNotFound } from '../../response/problems.ts'
import { type App, publicAccess } from '../../route.ts'
import { DOCS, type Guide, readGuides } from './guides.ts'
import { renderGuide } from './render.ts'
import { STYLE } from './style.ts'

const config = { access: publicAccess, undocumented: true } as const

/** Guides have no scripts and load nothing from elsewhere. */
const GUIDE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'"

const PICTURE = /^[\w-]+\.(png|svg)$/

interface Guides {
  /** Every page of `docs/`, the guides first. */
  list(): Guide[]
}

/** Serves the pages of `docs/` at `/docs/<subject>`. Files are read and rendered once. */
export function registerGuides(app: App): Guides {
  let read: Map<string, Guide> | undefined
  const pages = () => {
    read ??= readGuides()
    return read
  }
  const list = () => [...pages().values()]
  const rendered = new Map<string, Promise<string>>()
  app.get('/docs/:subject', { config }, async (request, reply) => {
    const { subject } = request.params as { subject: string }
    const guide = pages().get(subject)
    if (!guide) return sendNotFound(request, reply)
    const html = rendered.get(subject) ?? renderGuide(guide, list())
    rendered.set(subject, html)
    reply.header('content-security-policy', GUIDE_POLICY)
    return reply.header('content-type', 'text/html; charset=utf-8').send(await html)
  })
  app.get('/docs/guides.css', { config }, (_request, reply) => {
    reply.header('content-type', 'text/css; charset=utf-8').send(STYLE)
  })
  app.get('/docs/images/:name', { config }, async (request, reply) => {
    const { name } = request.params as { name: string }
    const [, kind] = PICTURE.exec(name) ?? []
    const picture = kind && (await readPicture(name))
    if (!picture) return sendNotFound(request, reply)
    // A plot that is opened by itself is a document.
    reply.header('content-security-policy', GUIDE_POLICY)
    return reply
      .header('content-type', kind === 'svg' ? 'image/svg+xml' : 'image/png')
      .send(picture)
  })
  return { list }
}

function readPicture(name: string): Promise<Buffer | undefined> {
  return readFile(join(DOCS, 'images', name)).catch(() => undefined)
}

/** The bar of links above the API reference. */
export function guidesBar(guides: readonly Guide[]): string {
  const links = guides
    .filter(({ isGuide }) => isGuide)
    .map(({ subject, title }) => `<a href="/docs/${subject}">${escapeHtml(title)}</a>`)
  return `<nav class="guides-bar" aria-label="Guides"><b>Guides</b>\n${links.join('\n')}\n</nav>`
}
