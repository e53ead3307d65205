/** Hands e-mails over to the operator's mail server. */
import { createTransport } from 'nodemailer'
import type { Mailbox, SmtpServer } from '../../lib/smtp-url.ts'

export interface MailSettings {
  server: SmtpServer
  from: Mailbox
  /** The wait after the first failure, and how long the server may be silent; shorter in tests. */
  firstWaitMs?: number
  silenceMs?: number
  /** How long after an e-mail its reader gets the next one; shorter in tests. */
  pauseMs?: number
}

export interface OutgoingMail {
  uuid: string
  recipient: string
  subject: string
  text: string
  html: string
  unsubscribeUrl: string | null
}

/**
 * What became of an attempt. `refused`: this mail will never be accepted; `later`: it may be
 * accepted later; `away`: the server accepts no mail at all at the moment.
 */
export type AttemptResult =
  | { outcome: 'sent' }
  | { outcome: 'refused' | 'later' | 'away'; status: number | null; error: string }

interface MailTransport {
  send: (mail: OutgoingMail) => Promise<AttemptResult>
  /** Connects and signs in; returns what is wrong, or undefined. */
  check: () => Promise<string | undefined>
  close: () => void
}

const CONNECT_MS = 10_000
/**
 * A server that takes a mail may look at it for long before it says so. Giving up earlier would
 * send it a second time.
 */
const SILENCE_MS = 120_000
/** As long as a line of the log is readable. */
const ERROR_LENGTH_MAX = 500

export function openTransport({ server, from, silenceMs }: MailSettings): MailTransport {
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.isTls,
    requireTLS: server.needsTls,
    ...(server.login && { auth: { user: server.login.user, pass: server.login.password } }),
    tls: { rejectUnauthorized: server.checksCertificate },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: silenceMs ?? SILENCE_MS,
    // No text of a mail may make the server read a file or call an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail) {
      try {
        await transport.sendMail(messageOf(mail, from))
        return { outcome: 'sent' }
      } catch (error) {
        return failureOf(error as MailError)
      }
    },
    async check() {
      try {
        await transport.verify()
        return undefined
      } catch (error) {
        return failureOf(error as MailError).error
      }
    },
    close: () => transport.close(),
  }
}

function messageOf(mail: OutgoingMail, from: Mailbox) {
  const url = mail.unsubscribeUrl
  return {
    from,
    to: { name: '', address: mail.recipient },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    // The same at every attempt, so that a mail that was sent twice can be recognised.
    messageId: `<${mail.uuid}@${from.address.split('@')[1]}>`,
    headers: {
      // So that out-of-office programs do not answer.
      'auto-submitted': 'auto-generated',
      ...(url && {
        'list-unsubscribe': `<${url}>`,
        'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

interface MailError extends Error {
  code?: string
  /** The command that the server answered. */
  command?: string
  responseCode?: number
}

/** Only what the server says about the recipient or the text is about this mail. */
const ABOUT_THE_MAIL = ['RCPT TO', 'DATA']

function failureOf({ message, code, command, responseCode }: MailError) {
  const error = (message || code || 'the connection failed').slice(0, ERROR_LENGTH_MAX)
  const status = responseCode ?? null
  // Found before anything was sent: an address or a size that the server cannot accept.
  if (status === null && (command === 'API' || code === 'EMESSAGE')) {
    return { outcome: 'refused', status, error } as const
  }
  const isAboutMail = command !== undefined && ABOUT_THE_MAIL.includes(command)
  if (status === null || !isAboutMail) return { outcome: 'away', status, error } as const
  // 503 is about the session and not about the mail.
  const isFinal = status >= 500 && status !== 503
  return { outcome: isFinal ? 'refused' : 'later', status, error } as const
}
