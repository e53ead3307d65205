import { sql } from 'kysely'
import { copyValuesOf } from '../../../database/copy.ts'
import type { ImportSession } from '../session.ts'
import {
  createKnownStones,
  KNOWN_STATES,
  type KnownState,
  type KnownStones,
} from './known-stones.ts'

/** Loads what is known of the supplier's stones, streamed: a million of them fit in 60 MB. */
export async function loadKnownStones(
  session: ImportSession,
  supplierId: number,
): Promise<KnownStones> {
  // The supplier's lock keeps other imports away, so no stone comes between count and copy.
  const counted = await sql<{ count: number }>`
    select count(*) as count from gem where supplier_id = ${supplierId}`.execute(session.db)
  const known = createKnownStones(counted.rows[0].count)
  await session.copyOut(
    `copy (
      select case
          when feed_gone and state in ('available', 'sold', 'memo') then ${place('dropped')}
          when state = 'available' then ${place('live')}
          when state = 'disabled' and quantity > 0 then ${place('offered')}
          when state in ('gone', 'disabled') then ${place('gone')}
          else ${place('taken')} end,
        coalesce(encode(substring(feed_hash for 8), 'hex'), '${'0'.repeat(DIGEST_DIGITS)}'),
        id, vendor_sku
      from gem where supplier_id = ${Number(supplierId)}) to stdout`,
    (line) => addKnown(known, line),
  )
  return known
}

const place = (state: KnownState) => KNOWN_STATES.indexOf(state)

const ZERO = 0x30
const TAB = 0x09
const DIGEST_DIGITS = 16
/** Where the digest begins, after the digit of the state, and the id after both. */
const DIGEST_AT = 2
const ID_AT = DIGEST_AT + DIGEST_DIGITS + 1

/** Adds the stone of a printed row, from its bytes: there may be a million of them. */
function addKnown(known: KnownStones, line: Buffer): void {
  const digest = { first: wordAt(line, DIGEST_AT), second: wordAt(line, DIGEST_AT + 8) }
  let at = ID_AT
  let id = 0
  for (; line[at] !== TAB; at++) id = id * 10 + line[at] - ZERO
  const text = line.toString('utf8', at + 1, line.length - 1)
  const vendorSku = text.includes('\\') ? (copyValuesOf(text)[0] ?? '') : text
  known.add(vendorSku, id, digest, KNOWN_STATES[line[0] - ZERO])
}

/** Reads eight hexadecimal digits, as PostgreSQL prints bytes, as one word. */
function wordAt(line: Buffer, from: number): number {
  let word = 0
  for (let at = from; at < from + 8; at++) {
    const digit = line[at] - ZERO
    word = (word << 4) | (digit > 9 ? digit - A_AFTER_NINE : digit)
  }
  return word
}

/** How far `a` is behind the character that follows `9`. */
const A_AFTER_NINE = 39
