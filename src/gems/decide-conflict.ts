import { sql } from 'kysely'
import { recordEntry } from '../audit/record-entry.ts'
import { isUniqueViolation } from '../database/errors.ts'
import type { Tx } from '../database/open.ts'
import { logChanges, type StoneChange } from '../events/change-log.ts'
import { Refusal } from '../lib/refusal.ts'
import { isoWithOffset } from '../lib/timestamps.ts'
import { isOnSale } from './gem-life.ts'
import { isEnabled, type LockedGem, writeChange } from './operator/change-gem.ts'
import { recordHistory } from './operator/gem-history.ts'

/** What the operator says about a certificate that several listings have. */
export type ConflictDecision = { decision: 'keep'; sku: string } | { decision: 'apart' }

export interface DecidedConflict {
  /** Normalised, as `conflicts` lists them. */
  lab: string
  cert_num: string
  decision: ConflictDecision['decision']
  /** The offer that was kept. */
  sku: string | null
  /** The offers that are not on sale any more. */
  disabled: string[]
  decided_on: string
}

/**
 * Decides about the listings of a certificate. `keep`: they are one stone, one of them is right,
 * and the others are disabled. `apart`: they are different stones, each sold by itself; this also
 * holds for listings that come later. The newest decision counts.
 */
export async function decideConflict(
  tx: Tx,
  named: { lab: string; cert_num: string },
  request: ConflictDecision,
): Promise<DecidedConflict> {
  const certificate = await certificateOf(tx, named)
  const listings = certificate === null ? [] : await lockListings(tx, certificate)
  if (certificate === null || listings.length === 0) {
    const name = `${named.lab} ${named.cert_num}`.slice(0, 100)
    throw new Refusal('not_found', `No stone has the certificate ${JSON.stringify(name)}.`)
  }
  const kept = request.decision === 'keep' ? findKept(listings, request.sku) : undefined
  const decided_on = await writeDecision(tx, certificate, request)
  const isApart = request.decision === 'apart'
  await setApart(tx, certificate, isApart)
  for (const { sku, apart } of listings) {
    if (apart === isApart) continue
    const changes = { apart: { from: apart, to: isApart } }
    await recordHistory(tx, { sku, action: 'conflict.decide', changes })
  }
  const changes = kept ? await keepOne(tx, kept, listings) : listings.map(shownApart)
  await recordEntry(tx, {
    action: 'conflict.decide',
    subject: { kind: 'certificate', id: certificate },
    after: { decision: request.decision, sku: kept?.sku ?? null },
  })
  await logChanges(tx, changes)
  const [cert_num, lab] = certificate.split('/')
  const disabled = listings.filter((each) => kept !== undefined && isDisabledBy(kept, each))
  return {
    lab,
    cert_num,
    decision: request.decision,
    sku: kept?.sku ?? null,
    disabled: disabled.map(({ sku }) => sku),
    decided_on: isoWithOffset(decided_on),
  }
}

async function certificateOf(
  tx: Tx,
  { lab, cert_num }: { lab: string; cert_num: string },
): Promise<string | null> {
  const { rows } = await sql<{ certificate: string | null }>`
    select certificate_of('diamond', ${lab}, null, ${cert_num}) as certificate`.execute(tx)
  return rows[0].certificate
}

async function lockListings(tx: Tx, certificate: string): Promise<LockedGem[]> {
  await sql`
    select count(*) from (
      select from gem where certificate = ${certificate} order by sku for update
    ) as locked`.execute(tx)
  const { rows } = await sql<LockedGem>`
    select gem.*, life_state(gem) as life_state
    from gem where certificate = ${certificate} order by sku`.execute(tx)
  return rows
}

function findKept(listings: readonly LockedGem[], sku: string): LockedGem {
  const kept = listings.find((listing) => listing.sku === sku)
  if (kept) return kept
  const known = listings.map((listing) => listing.sku).join(', ')
  const message = `must be the SKU of one of the stones with the certificate: ${known}`
  throw new Refusal('invalid_request', `sku ${message}.`, { errors: [{ field: 'sku', message }] })
}

async function writeDecision(
  tx: Tx,
  certificate: string,
  request: ConflictDecision,
): Promise<string> {
  const sku = request.decision === 'keep' ? request.sku : null
  const { rows } = await sql<{ decided_on: string }>`
    insert into certificate_decision (certificate, decision, sku)
    values (${certificate}, ${request.decision}, ${sku})
    on conflict (certificate) do update
      set decision = excluded.decision, sku = excluded.sku, decided_on = excluded.decided_on
    returning decided_on`.execute(tx)
  return rows[0].decided_on
}

/**
 * Two stones that were sold while they were apart cannot become one. Merchants may see stones that
 * were hidden behind the leading offer, so all of them count as updated.
 */
async function setApart(tx: Tx, certificate: string, apart: boolean): Promise<void> {
  await sql`
    update gem set apart = ${apart},
      updated_on = case when ${apart} then market_now() else updated_on end
    where certificate = ${certificate} and apart <> ${apart}`
    .execute(tx)
    .catch((error: unknown) => {
      if (!isUniqueViolation(error, 'one_sale_per_stone')) throw error
      const detail = 'Two stones with this certificate are sold or on memo: they stay apart.'
      throw new Refusal('wrong_state', detail)
    })
}

/** What is sold or on memo stays so: its order keeps it. */
function isDisabledBy(kept: LockedGem, { id, state }: LockedGem): boolean {
  return id !== kept.id && state !== 'sold' && state !== 'memo'
}

async function keepOne(
  tx: Tx,
  kept: LockedGem,
  listings: readonly LockedGem[],
): Promise<StoneChange[]> {
  const changes = new Map(listings.map((listing) => [listing.id, touched(listing)]))
  const set = async (listing: LockedGem, enabled: false | null) => {
    const change = await writeChange(tx, listing, { enabled }, 'conflict.decide')
    if (change) changes.set(listing.id, change)
  }
  for (const each of listings) if (isDisabledBy(kept, each)) await set(each, false)
  if (!isEnabled(kept)) await set(kept, null)
  return [...changes.values()]
}

function shownApart(listing: LockedGem): StoneChange {
  return { ...touched(listing), kind: isOnSale(listing) ? 'details' : null }
}

/** Followers hear of it only if another offer of the stone leads now. */
function touched({ id, sku }: LockedGem): StoneChange {
  return { gem_id: id, sku, kind: null }
}
