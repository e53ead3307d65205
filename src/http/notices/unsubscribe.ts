import type { FastifyReply } from 'fastify'
import { escapeHtml, joined } from '../../notices/mailing/render-mail.ts'
import {
  changeSettings,
  findSubscriber,
  type Subscriber,
  sideOf,
} from '../../notices/settings-store.ts'
import { KINDS_OF, labelOf, type NoticeKind } from '../../reference/notice-kinds.ts'
import { write } from '../request/acting.ts'
import { type App, publicAccess } from '../route.ts'
import type { Services } from '../services.ts'

const config = { access: publicAccess, undocumented: true } as const
/** A page that loads nothing and can only send its own form. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; " +
  "frame-ancestors 'none'"
/** A form of one button. */
const BODY_BYTES_MAX = 4096

/**
 * The link in every e-mail that stops its kinds, without signing in. Opening it changes nothing:
 * programs that look for malicious links open every one. The button, and the one-click button of a
 * mail program (RFC 8058), send a POST.
 */
export function registerUnsubscribe(app: App, { db }: Services): void {
  app.register(async (scope: App) => {
    scope.removeAllContentTypeParsers()
    const parsing = { parseAs: 'string', bodyLimit: BODY_BYTES_MAX } as const
    scope.addContentTypeParser('*', parsing, (_request, _body, done) => done(null, undefined))

    scope.get<LinkRoute>(PATH, { config }, async ({ params, query }, reply) => {
      const reader = await findSubscriber(db, params.token)
      if (!reader) return sendUnknown(reply)
      const kinds = kindsIn(query.kinds, reader)
      return sendPage(
        reply,
        'Stop these e-mails?',
        `<p>${escapeHtml(reader.email)} gets e-mails about ${about(kinds)}.</p>` +
          '<form method="post"><button>Stop them</button></form>',
      )
    })

    scope.post<LinkRoute>(PATH, { config }, async (request, reply) => {
      const { params, query } = request
      const reader = await findSubscriber(db, params.token)
      if (!reader) return sendUnknown(reply)
      const kinds = kindsIn(query.kinds, reader)
      const off = Object.fromEntries(kinds.map((kind) => [kind, false]))
      const { user_uuid: uuid, name } = reader
      const actor = { kind: 'user', uuid, name, side: sideOf(reader) } as const
      await write(db, request, (tx) => changeSettings(tx, reader, off, actor))
      return sendPage(
        reply,
        'Done',
        `<p>${escapeHtml(reader.email)} gets no more e-mails about ${about(kinds)}. ` +
          'You can switch them on again in the console.</p>',
      )
    })
  })
}

const PATH = '/unsubscribe/:token'

interface LinkRoute {
  Params: { token: string }
  Querystring: { kinds?: unknown }
}

/** The kinds that the link names; all of the user's side when it names none. */
function kindsIn(named: unknown, reader: Subscriber): readonly NoticeKind[] {
  const all: readonly NoticeKind[] = KINDS_OF[sideOf(reader)]
  const wanted = typeof named === 'string' ? named.split(',') : []
  const kinds = all.filter((kind) => wanted.includes(kind))
  return kinds.length === 0 ? all : kinds
}

const about = (kinds: readonly NoticeKind[]) => escapeHtml(joined(kinds.map(labelOf)))

function sendUnknown(reply: FastifyReply): FastifyReply {
  reply.code(404)
  const text = '<p>This link is not valid any more. Nothing was changed.</p>'
  return sendPage(reply, 'Unknown link', text)
}

function sendPage(reply: FastifyReply, title: string, body: string): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .send(
      `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n` +
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n' +
        `<title>${title}</title>\n<style>${STYLE}</style>\n</head>\n` +
        `<body>\n<main>\n<h1>${title}</h1>\n${body}\n</main>\n</body>\n</html>\n`,
    )
}

const STYLE =
  'body{margin:0;background:#f3f5f8;color:#1b2330;font:16px/1.5 system-ui,Arial,sans-serif}' +
  'main{max-width:32rem;margin:4rem auto;padding:1.5rem;background:#fff;' +
  'border:1px solid #d9dee6;border-radius:8px}h1{font-size:1.25rem;margin:0 0 .5rem}' +
  'button{font:inherit;padding:.5rem 1rem;border:0;border-radius:6px;background:#1d4ed8;color:#fff}'
