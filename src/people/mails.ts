import type { Tx } from '../database/open.ts'
import { LINK_MINUTES, type SignInLink } from './sign-in-link.ts'

/** What is mailed to people who sign in. Where no mail server is set, nothing is. */
interface Mail {
  to: string
  subject: string
  text: string
  html: string
  kind: 'invitation' | 'sign_in'
  /** It is not sent any more when its link has expired. */
  usefulMinutes: number
}

/** Queues a mail in the transaction, so that it leaves if and only if that is committed. */
export type SendMail = (tx: Tx, mail: Mail) => Promise<void>

interface Recipient {
  email: string
  name: string
}

export function invitationMail(to: Recipient, ownerName: string, link: SignInLink): Mail {
  const subject = `Invitation to Pavilion: ${ownerName}`
  const lines = [
    `You have been invited to Pavilion as a user of ${ownerName}.`,
    `Open this link to sign in. It works once and for ${LINK_MINUTES.invitation / 60} hours:`,
  ]
  return mailOf('invitation', to, subject, lines, link)
}

export function signInMail(to: Recipient, ownerName: string, link: SignInLink): Mail {
  const subject = `Sign in to Pavilion: ${ownerName}`
  const lines = [
    `This link signs you in to Pavilion as a user of ${ownerName}.`,
    `It works once and for ${LINK_MINUTES.sign_in} minutes.`,
    'If you did not ask for it, ignore this message: nobody is signed in without the link.',
  ]
  return mailOf('sign_in', to, subject, lines, link)
}

function mailOf(
  kind: Mail['kind'],
  { email, name }: Recipient,
  subject: string,
  lines: readonly string[],
  { url }: SignInLink,
): Mail {
  const greeting = name === email ? 'Hello,' : `Hello ${name},`
  const text = [greeting, ...lines, url].join('\n\n')
  const paragraphs = [greeting, ...lines].map((line) => `<p>${escapeHtml(line)}</p>`)
  const html = [...paragraphs, `<p><a href="${escapeHtml(url)}">Sign in</a></p>`].join('\n')
  return {
    to: email,
    subject: subject.replaceAll(/[\r\n]+/g, ' '),
    text: `${text}\n`,
    html,
    kind,
    usefulMinutes: LINK_MINUTES[kind],
  }
}

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
])

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES.get(character) ?? character)
}
