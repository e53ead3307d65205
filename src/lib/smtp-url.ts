/** Where e-mails are handed over, and who they come from, as the environment says it. */

export interface SmtpServer {
  host: string
  port: number
  /** Encrypted from the first byte; otherwise STARTTLS is used where the server offers it. */
  isTls: boolean
  /** Whether nothing is sent without encryption. */
  needsTls: boolean
  /** Whether the server's certificate has to be valid. */
  checksCertificate: boolean
  /** Undefined: the server asks for no sign-in. */
  login: { user: string; password: string } | undefined
}

export interface Mailbox {
  name: string
  address: string
}

const PORT = 587
const TLS_PORT = 465
const PARAMETERS = ['requireTLS', 'verify']

/** Returns the server, or a sentence about what is wrong, which never contains the password. */
export function parseSmtpUrl(text: string): SmtpServer | string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') return EXAMPLE
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) return `has the parameter "${unknown}"; known: requireTLS, verify`
  const requires = flagOf(url, 'requireTLS')
  const verifies = flagOf(url, 'verify')
  if (requires === null || verifies === null) return 'has a parameter that is not true or false'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)
  const isTls = url.protocol === 'smtps:'
  const hasLogin = url.username !== ''
  return {
    host,
    port: url.port === '' ? (isTls ? TLS_PORT : PORT) : Number(url.port),
    isTls,
    // A password is not sent in clear text over a network, unless the operator says so.
    needsTls: requires ?? (hasLogin && !isLocal),
    // Nobody stands between this machine and itself, where certificates are made by hand.
    checksCertificate: verifies ?? !isLocal,
    login: hasLogin ? { user: decode(url.username), password: decode(url.password) } : undefined,
  }
}

const EXAMPLE = 'must be an address such as smtp://user:password@mail.example:587'

function flagOf({ searchParams }: URL, name: string): boolean | undefined | null {
  const text = searchParams.get(name)
  if (text === null) return undefined
  return text === 'true' ? true : text === 'false' ? false : null
}

/** A percent sign that encodes nothing is part of the password. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The longest e-mail address that mail servers accept (RFC 5321). */
export const MAIL_ADDRESS_LENGTH_MAX = 254
const ADDRESS = /^[^\s<>@"(),:;\\[\]\p{Cc}]+@[^\s<>@"(),:;\\[\]\p{Cc}]+$/u

/** Whether a text is one e-mail address and nothing else, so that it is safe in a header. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAIL_ADDRESS_LENGTH_MAX && ADDRESS.test(text)
}

/** Reads `Gems <sales@gems.example>` or `sales@gems.example`. */
export function parseMailbox(text: string): Mailbox | undefined {
  const named = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(text.trim())
  const address = (named ? named[2] : text).trim()
  const name = (named?.[1] ?? '').trim().replace(/^"(.*)"$/, '$1')
  return isMailAddress(address) ? { name, address } : undefined
}
