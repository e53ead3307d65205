/** The text and the HTML of e-mails. Every value is escaped, and nothing is fetched. */
import type { NoticeContent } from '../../database/tables/mail.ts'
import { labelOf, type NoticeKind } from '../../reference/notice-kinds.ts'
import { count } from '../writing/english.ts'

interface MailedNotice {
  uuid: string
  kind: NoticeKind
  subject: string
  content: NoticeContent
  path: string
}

export interface MailFrame {
  publicUrl: string
  /** Said in the subject of everything that is not meant seriously. */
  isSandbox: boolean
  /** Stops the kinds of this mail. */
  unsubscribeUrl: string
}

interface RenderedMail {
  subject: string
  text: string
  html: string
}

/** A longer digest is not read; the console has all notices. */
const NOTICES_MAX = 30

/** One notice is a mail of its own; several become one mail. */
export function renderMail(notices: readonly MailedNotice[], frame: MailFrame): RenderedMail {
  const [first] = notices
  const subject = notices.length === 1 ? first.subject : digestSubject(notices)
  const shown = notices.slice(0, NOTICES_MAX)
  const left = notices.length - shown.length
  const kinds = [...new Set(notices.map(({ kind }) => kind))]
  const stop = `You get this e-mail because you are told about ${joined(kinds.map(labelOf))}.`
  const more = left === 0 ? undefined : `${count(left, 'more notice')} in the console.`
  return {
    subject: frame.isSandbox ? `[Sandbox] ${subject}` : subject,
    text: `${[
      ...shown.map((notice) => noticeText(notice, frame)),
      ...(more === undefined ? [] : [more]),
      `-- \n${stop}\nStop it: ${frame.unsubscribeUrl}`,
    ].join('\n\n')}\n`,
    html: page(
      subject,
      [
        ...shown.map((notice) => noticeHtml(notice, frame)),
        ...(more === undefined ? [] : [`<p>${escapeHtml(more)}</p>`]),
      ].join('\n'),
      `${escapeHtml(stop)} <a href="${escapeHtml(frame.unsubscribeUrl)}">Stop it</a>`,
    ),
  }
}

function digestSubject(notices: readonly MailedNotice[]): string {
  return `${count(notices.length, 'notice')}: ${notices[0].subject}, and more`
}

/** `a`, `a and b`, `a, b and c`. */
export function joined(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function moreOf({ more }: NoticeContent): string[] {
  return more === 0 ? [] : [`and ${more.toLocaleString('en-US')} more`]
}

function noticeText({ subject, content, path }: MailedNotice, { publicUrl }: MailFrame): string {
  const items = content.items.map(({ title, detail }) =>
    plain(detail === '' ? `* ${title}` : `* ${title}: ${detail}`),
  )
  const body = [...items, ...moreOf(content).map((more) => `* ${more}`)].join('\n')
  return [
    `${plain(subject)}\n${'='.repeat(Math.min(plain(subject).length, RULE_LENGTH_MAX))}`,
    plain(content.lead),
    ...(body === '' ? [] : [body]),
    `${publicUrl}${path}`,
  ].join('\n\n')
}

const RULE_LENGTH_MAX = 72

/** A value cannot begin a line of its own. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

function noticeHtml({ subject, content, path }: MailedNotice, { publicUrl }: MailFrame): string {
  const rows = content.items.map(
    ({ title, detail }) =>
      `<tr><td style="${CELL}"><strong>${escapeHtml(title)}</strong>` +
      (detail === '' ? '' : `<br><span style="color:#5b6472">${escapeHtml(detail)}</span>`) +
      '</td></tr>',
  )
  const more = moreOf(content).map(
    (text) => `<tr><td style="${CELL}">${escapeHtml(text)}</td></tr>`,
  )
  const table =
    rows.length + more.length === 0
      ? ''
      : '<table role="presentation" width="100%" ' +
        'style="border-collapse:collapse;margin:0 0 16px">' +
        `${[...rows, ...more].join('')}</table>\n`
  return (
    `<h2 style="font-size:18px;line-height:1.3;margin:0 0 8px">${escapeHtml(subject)}</h2>\n` +
    `<p style="margin:0 0 16px">${escapeHtml(content.lead)}</p>\n${table}` +
    `<p style="margin:0 0 32px"><a href="${escapeHtml(`${publicUrl}${path}`)}" ` +
    `style="color:#1d4ed8">Open in the console</a></p>`
  )
}

const CELL = 'padding:8px 0;border-top:1px solid #d9dee6;text-align:left;vertical-align:top'

function page(title: string, body: string, footer: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin:0;background:#f3f5f8;color:#1b2330;font:15px/1.5 system-ui,Arial,sans-serif">
<div style="max-width:600px;margin:0 auto;padding:24px 16px">
<div style="background:#ffffff;border:1px solid #d9dee6;border-radius:8px;padding:24px 24px 0">
${body}
</div>
<p style="color:#5b6472;font-size:13px;margin:16px 8px">${footer}</p>
</div>
</body>
</html>
`
}

/** For the text of an element and for a value in double quotes. */
export function escapeHtml(text: string): string {
  return plain(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
