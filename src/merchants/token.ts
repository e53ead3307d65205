import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import {
  hasScope,
  PUBLISHABLE_SCOPES,
  type Scope,
  SUPPLIER_SCOPES,
  WIDE_SCOPES,
} from '../reference/roles.ts'

/**
 * A token is `pav_live_<36 random characters><6 characters of checksum>`. The prefix lets secret
 * scanners find a leaked one; the checksum tells a mistyped one without a query. A publishable key
 * begins with `pav_pub_live_`, so that they need not report it.
 */
export const TOKEN_TYPES = ['api_key', 'merchant', 'admin', 'supplier', 'publishable'] as const
export type TokenType = (typeof TOKEN_TYPES)[number]

/** The largest rate limit of a token or a merchant, in requests per minute. */
export const RATE_LIMIT_MAX = 1_000_000_000
/** More orders than anybody places in a day. */
export const ORDERS_PER_DAY_MAX = 1_000_000_000

/** What is given to a key only by name: a stolen key must not be able to multiply. */
const NOT_BY_DEFAULT: readonly Scope[] = ['keys:write', 'users:read', 'users:write']

/** The scopes of a token that is created without naming any. */
export function defaultScopes(type: TokenType, own: readonly Scope[] = WIDE_SCOPES): Scope[] {
  if (type === 'admin') return [...own]
  if (type === 'publishable') return PUBLISHABLE_SCOPES.filter((scope) => hasScope(own, scope))
  return own.filter(
    (scope) =>
      !NOT_BY_DEFAULT.includes(scope) && (type !== 'supplier' || SUPPLIER_SCOPES.includes(scope)),
  )
}

/** Production accepts `live` tokens, the sandbox `test` ones. */
export type Realm = 'live' | 'test'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 36
const CHECKSUM_LENGTH = 6
const SHAPE = /^pav_(?:pub_)?(live|test)_[0-9A-Za-z]{42}$/

export function newToken(realm: Realm, type: TokenType = 'api_key'): string {
  let random = ''
  for (let count = 0; count < RANDOM_LENGTH; count++) random += ALPHABET[randomInt(62)]
  const body = `pav_${type === 'publishable' ? 'pub_' : ''}${realm}_${random}`
  return body + checksumOf(body)
}

/** Whether the text has the form and the checksum of a token of this realm. */
export function isTokenOf(realm: Realm, text: string): boolean {
  const match = SHAPE.exec(text)
  if (match?.[1] !== realm) return false
  return text.endsWith(checksumOf(text.slice(0, -CHECKSUM_LENGTH)))
}

const CLEAR_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** The code of a link, in characters that are not mistaken for one another: 5.8 bits each. */
export function newCode(length: number): string {
  let code = ''
  for (let count = 0; count < length; count++)
    code += CLEAR_ALPHABET[randomInt(CLEAR_ALPHABET.length)]
  return code
}

/** What is stored instead of the token. Its 214 random bits need no salt and no slow hash. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function checksumOf(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let count = 0; count < CHECKSUM_LENGTH; count++) {
    digits = ALPHABET[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
