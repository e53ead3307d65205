import type { Db } from '../../database/open.ts'
import type { DemoKeys } from '../../demo/merchants.ts'
import { createLink } from '../../merchants/session.ts'
import { hashToken } from '../../merchants/token.ts'
import { findToken } from '../../merchants/token-store.ts'

/** Links that sign in to the console of a new demo market, once each. */
export interface ConsoleLinks {
  merchant: string
  operator: string
}

export async function createConsoleLinks(
  db: Db,
  publicUrl: string,
  { merchantKey }: DemoKeys,
): Promise<ConsoleLinks> {
  const known = await findToken(db, hashToken(merchantKey))
  if (!known?.merchant) throw new Error('the demo key has no merchant')
  const merchant = await createLink(db, publicUrl, known.merchant.uuid)
  const operator = await createLink(db, publicUrl, null)
  return { merchant: merchant.url, operator: operator.url }
}
