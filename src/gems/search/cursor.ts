import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Place } from '../../index/index.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import type { GemIndex } from '../indexing/follower.ts'
import { isList, type SearchFilters, type SearchRequest } from './plan.ts'

/**
 * A cursor is the place in an order where a page ended. It has everything that the next page needs,
 * so that any node can continue, and it remains valid whatever happens to the stones: those that
 * keep their place come once. It is not secret, and gives nobody more than a search does.
 */

/** A search as it is asked for: from an offset, or from where a page ended. */
export interface PagedRequest extends Omit<SearchRequest, 'offset' | 'place'> {
  offset?: number
  cursor?: string
  currency_code?: string
}

/** A search that knows where its page begins. */
export interface StartedRequest extends SearchRequest {
  currency_code?: string
  /** The node that answers knows at least the changes up to this number. */
  sequence?: number
}

/** Finds where the page begins, and refuses a cursor of another search. */
export async function startPage(
  index: GemIndex,
  merchant: Merchant,
  request: PagedRequest,
): Promise<StartedRequest> {
  const { cursor, offset, ...search } = request
  if (cursor === undefined) return { ...search, offset: offset ?? 0 }
  if (offset !== undefined) {
    throw refusal('offset', 'cannot be combined with cursor, which knows where the page begins')
  }
  const { rank, id, before, sequence, digest } = readCursor(cursor)
  if (digest !== digestOf(index, merchant, request)) {
    const same = 'the filters, sort_col, sort_order, currency_code and include_treated'
    throw refusal('cursor', `belongs to another search: ${same} must be those of the page before`)
  }
  await catchUpTo(index, sequence)
  const place = { rank: rank ?? Number.POSITIVE_INFINITY, id }
  return { ...search, place, offset: before, sequence }
}

/** The cursor behind a page; null when nothing is behind it. */
export function nextCursor(
  index: GemIndex,
  merchant: Merchant,
  request: StartedRequest,
  next: Place | null,
): string | null {
  if (next === null) return null
  return writeCursor({
    rank: next.rank === Number.POSITIVE_INFINITY ? null : next.rank,
    id: next.id,
    before: request.offset + request.limit,
    sequence: Math.max(index.sequence() ?? 0, request.sequence ?? 0),
    digest: digestOf(index, merchant, request),
  })
}

/** A node that is behind the one before would not know stones that were there all the time. */
async function catchUpTo(index: GemIndex, sequence: number): Promise<void> {
  if ((index.sequence() ?? sequence) >= sequence) return
  await Promise.race([index.catchUp(), sleep(CATCH_UP_MS_MAX, null, { ref: false })])
}

/** Without a database the page comes from what the node knows. */
const CATCH_UP_MS_MAX = 2_000

interface Cursor {
  /** Null for a stone without a value in the sort column. */
  rank: number | null
  id: number
  /** How many stones the pages before had. */
  before: number
  /** The change log's number that the page before knew. */
  sequence: number
  /** Of everything that must be the same for the next page. */
  digest: string
}

/** Its number changes with the order of the values below. */
const VERSION = 1
const CHECKSUM_LENGTH = 8

/** The checksum finds what was damaged or changed on the way. */
function writeCursor({ rank, id, before, sequence, digest }: Cursor): string {
  const text = JSON.stringify([VERSION, rank, id, before, sequence, digest])
  return Buffer.from(checksumOf(text) + text).toString('base64url')
}

function readCursor(cursor: string): Cursor {
  const bytes = Buffer.from(cursor, 'base64url')
  const decoded = bytes.toString()
  const text = decoded.slice(CHECKSUM_LENGTH)
  // The last character has unused bits, which another one could set.
  const isWhole =
    bytes.toString('base64url') === cursor && checksumOf(text) === decoded.slice(0, CHECKSUM_LENGTH)
  const values = isWhole ? parsed(text) : undefined
  if (!isCursor(values)) {
    throw refusal('cursor', 'is not a next_cursor of this interface: send it as it was received')
  }
  const [, rank, id, before, sequence, digest] = values
  return { rank, id, before, sequence, digest }
}

/** Someone may have computed the checksum of any text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isCursor(
  values: unknown,
): values is [version: number, number | null, number, number, number, string] {
  if (!Array.isArray(values) || values.length !== 6) return false
  const [version, rank, id, before, sequence, digest] = values as unknown[]
  return (
    version === VERSION &&
    (rank === null || Number.isSafeInteger(rank)) &&
    [id, before, sequence].every((value) => Number.isSafeInteger(value) && Number(value) >= 0) &&
    typeof digest === 'string'
  )
}

function checksumOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, CHECKSUM_LENGTH)
}

const DIGEST_LENGTH = 16

function digestOf(index: GemIndex, merchant: Merchant, request: PagedRequest): string {
  const { filters = {}, sort_col, sort_order, include_treated } = request
  const { currency_code = merchant.currency_code } = request
  const search = [index.name, merchant.uuid, sort_col, sort_order, currency_code, sorted(filters)]
  if (include_treated) search.push('include_treated')
  return hash('sha256', JSON.stringify(search), 'base64url').slice(0, DIGEST_LENGTH)
}

/** The order of filters, and of the values of one, does not matter. */
function sorted(filters: SearchFilters): string[] {
  return Object.entries(filters)
    .map(([name, value]) =>
      JSON.stringify([
        name,
        isList(value) ? value.map((one) => JSON.stringify(one)).toSorted() : value,
      ]),
    )
    .toSorted()
}

function refusal(field: string, message: string): Refusal {
  return new Refusal('invalid_request', `${field} ${message}.`, { errors: [{ field, message }] })
}
