import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../database/open.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Merchant, whyNotAdmitted } from './merchant.ts'
import { hashToken } from './token.ts'

const LINK_HOURS = 12

interface SignInLink {
  url: string
  expires_on: string
}

/**
 * Makes a link that signs one person in, once: a merchant's, or the operator's without a merchant.
 * The code stands behind the #, which browsers do not send: no log and no proxy ever sees it.
 */
export async function createLink(
  db: Db,
  publicUrl: string,
  merchant_uuid: string | null,
): Promise<SignInLink> {
  const code = newCode()
  const ends = new Date(Date.now() + LINK_HOURS * 3_600_000)
  await forgetOldLinks(db)
  await db
    .insertInto('sign_in_link')
    .values({ hash: hashToken(code), merchant_uuid, expires_on: ends.toISOString() })
    .execute()
  return { url: `${publicUrl}/sign-in#${code}`, expires_on: ends.toISOString() }
}

/** Uses the link up. Of two that come at once, one gets in: the row decides. */
export async function useLink(tx: Tx, code: string): Promise<Merchant | undefined> {
  const link = await tx
    .updateTable('sign_in_link')
    .set({ used_on: sql`now()` })
    .where('hash', '=', hashToken(code))
    .where('used_on', 'is', null)
    .where('expires_on', '>', sql<string>`now()`)
    .returning('merchant_uuid')
    .executeTakeFirst()
  if (!link) {
    const detail = 'The link was used already or has ended; "pavilion console" prints a new one.'
    throw new Refusal('unauthenticated', detail)
  }
  if (link.merchant_uuid === null) return undefined
  const merchant = await tx
    .selectFrom('merchant')
    .selectAll()
    .where('uuid', '=', link.merchant_uuid)
    .executeTakeFirstOrThrow()
  const refused = whyNotAdmitted(merchant)
  if (refused) throw new Refusal('api_not_enabled', refused)
  return merchant
}

async function forgetOldLinks(db: Db): Promise<void> {
  await db
    .deleteFrom('sign_in_link')
    .where('expires_on', '<', sql<string>`now() - interval '1 day'`)
    .execute()
}

const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const CODE_LENGTH = 32

/** 187 random bits in characters that nobody mixes up: guessing one is out of the question. */
function newCode(): string {
  let code = ''
  for (let count = 0; count < CODE_LENGTH; count++) code += ALPHABET[randomInt(ALPHABET.length)]
  return code
}
