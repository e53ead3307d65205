/** The address of a source: which are possible, and what of it is a secret. */
import { refuseField } from './source.ts'

const PROTOCOLS = ['https:', 'http:', 'sftp:', 'ftp:', 'ftps:', 'file:'] as const
export type Protocol = (typeof PROTOCOLS)[number]

const URL_LENGTH_MAX = 2000
const EXAMPLE =
  'must be an address such as https://supplier.example/stock.csv, ' +
  'sftp://supplier.example/out/*.csv or ftps://supplier.example/stock/'

interface SourceUrl {
  /** For people: without parameters that look like secrets. */
  shown: string
  /** The whole query of the address when `shown` leaves something out of it. */
  secretQuery: string | null
}

/** Refuses an address that cannot be fetched. `file:` is for who is on the machine already. */
export function checkSourceUrl(
  text: string,
  { isFileAllowed }: { isFileAllowed: boolean },
): SourceUrl {
  if (text.length > URL_LENGTH_MAX) throw refuse(`must have at most ${URL_LENGTH_MAX} characters`)
  if (!URL.canParse(text)) throw refuse(EXAMPLE)
  const url = new URL(text)
  if (!isProtocol(url.protocol)) throw refuse(EXAMPLE)
  if (url.protocol === 'file:' && !isFileAllowed) {
    throw refuse('must not be a file of the server; "pavilion source add" can add one')
  }
  if (url.username !== '' || url.password !== '') {
    throw refuse('must not contain a user name or a password, which are given separately')
  }
  if (url.hash !== '') throw refuse('must not have a fragment; write "#" in a name as %23')
  if (url.protocol === 'file:' && url.host !== '') throw refuse('must begin with file:///')
  if (url.protocol !== 'file:' && url.hostname === '') throw refuse(EXAMPLE)
  checkPath(url)
  return hideSecrets(url)
}

function isProtocol(text: string): text is Protocol {
  return (PROTOCOLS as readonly string[]).includes(text)
}

function checkPath(url: URL): void {
  const isHttp = url.protocol === 'https:' || url.protocol === 'http:'
  if (isHttp) {
    if (!url.pathname.includes('*')) return
    throw refuse('must name one file: a web server has no list of files to choose from')
  }
  if (url.search !== '') throw refuse('must not have a query; write "?" in a name as %3F')
  const segments = url.pathname.split('/')
  if (segments.slice(0, -1).some((segment) => segment.includes('*'))) {
    throw refuse('may have a pattern such as *.csv only after the last "/"')
  }
  for (const segment of segments) decodeSegment(segment)
}

/** Decodes one part of a path. A line break would be a second command of FTP. */
export function decodeSegment(segment: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(segment)
  } catch {
    throw refuse(`has a part that cannot be decoded: ${segment.slice(0, 100)}`)
  }
  if (/\p{Cc}/u.test(decoded)) throw refuse('must not have control characters')
  return decoded
}

/** A parameter is taken for a secret by its name, or because its value looks random. */
const SECRET_NAME = /key|token|secret|pass|pwd|auth|sig|code|hash|credential|session|user|login/i
const SECRET_VALUE = /^(?=.*\d)(?=.*[a-z])[\w.~+/=-]{16,}$/i
const HIDDEN = 'hidden'

function hideSecrets(url: URL): SourceUrl {
  const shown = new URL(url)
  let isHidden = false
  for (const [name, value] of url.searchParams) {
    if (!SECRET_NAME.test(name) && !SECRET_VALUE.test(value)) continue
    shown.searchParams.set(name, HIDDEN)
    isHidden = true
  }
  if (!isHidden) return { shown: url.href, secretQuery: null }
  return { shown: shown.href, secretQuery: url.search }
}

/** Refuses an address with what only stands for a secret where the address is shown. */
export function refuseHidden(text: string, shown: string): void {
  const earlier = new URL(shown).searchParams
  for (const [name, value] of new URL(text).searchParams) {
    if (value !== HIDDEN || earlier.get(name) !== HIDDEN) continue
    throw refuse(`must have the value of ${name.slice(0, 100)}, which is only shown as ${HIDDEN}`)
  }
}

function refuse(message: string) {
  return refuseField('url', message)
}
