import { Refusal } from '../lib/refusal.ts'
import type { TokenType } from './token.ts'

/**
 * The origins of a publishable key: the web pages that it may be used on. Browsers send the origin
 * of their page with every call, so that a key that was copied to another page is of no use there.
 */

/** Enough for a shop with its trials; every call with the key is compared with all of them. */
export const ORIGINS_MAX = 20
/** A host name has at most 253 characters. */
export const ORIGIN_LENGTH_MAX = 300

/** Returns the origins of a new token in the form in which browsers send them. */
export function readOrigins(request: {
  type: TokenType
  origins?: readonly string[] | undefined
}): string[] {
  const origins = request.origins ?? []
  if (request.type !== 'publishable') {
    if (origins.length === 0) return []
    throw invalid('origins', 'are for keys of the type publishable only')
  }
  if (origins.length === 0) {
    const example = 'the pages that show it, such as https://shop.example'
    throw invalid('origins', `are required for a publishable key: ${example}`)
  }
  if (origins.length > ORIGINS_MAX) {
    throw invalid('origins', `must have at most ${ORIGINS_MAX} elements`)
  }
  return [...new Set(origins.map((origin, at) => readOrigin(origin, `origins[${at}]`)))]
}

/** Scheme, host and port. A slash at the end is left out, as browsers do. */
function readOrigin(text: string, field: string): string {
  const url = text.length <= ORIGIN_LENGTH_MAX && URL.canParse(text) ? new URL(text) : undefined
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  const isOriginOnly = url?.href === `${url?.origin}/` && !/[?#]$/.test(text)
  if (url && isWeb && isOriginOnly && !url.hostname.includes('*')) return url.origin
  const example = 'such as https://shop.example or http://localhost:3000'
  throw invalid(field, `must be an origin ${example}, without a path or a wildcard`)
}

/** Why a call from this origin is refused; undefined when the key may be used there. */
export function whyNotFrom(
  origins: readonly string[],
  origin: string | undefined,
): Refusal | undefined {
  if (origin !== undefined && origins.includes(origin)) return undefined
  const detail =
    origin === undefined
      ? 'A publishable key is used by web pages, but the Origin header is missing. For programs, ' +
        'use a key of type api_key.'
      : `The publishable key is not for pages of ${origin.slice(0, ORIGIN_LENGTH_MAX)}. Create ` +
        'one with this origin.'
  return new Refusal('origin_not_allowed', detail)
}

function invalid(field: string, message: string): Refusal {
  return new Refusal('invalid_request', `${field} ${message}.`, { errors: [{ field, message }] })
}
