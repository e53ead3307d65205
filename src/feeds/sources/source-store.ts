import { sql } from 'kysely'
import { recordEntry } from '../../audit/record-entry.ts'
import type { Db, Tx } from '../../database/open.ts'
import type { Secrets } from '../../database/secrets/secrets.ts'
import type { Sealed } from '../../database/tables/columns.ts'
import { withinTransaction } from '../../database/transaction.ts'
import { findOrCreateSupplier } from '../../gems/supplier-store.ts'
import { Refusal } from '../../lib/refusal.ts'
import { newUuid } from '../../lib/uuid.ts'
import { readStoneMapping } from '../mapping/stone-fields.ts'
import {
  EVERY_ABSENT,
  type FeedSource,
  readEvery,
  refuseField,
  renderSource,
  secretRowOf,
} from './source.ts'
import { checkAccess, checkPrivateKey, type SourceFields } from './source-fields.ts'
import { checkSourceUrl, type Protocol, refuseHidden } from './source-url.ts'

/** A notification wakes the nodes, which then look for sources that are due. */
export const SOURCE_CHANNEL = 'pavilion_source'

/** More than any operator has suppliers; a larger number must be a program gone wrong. */
const SOURCES_MAX = 1_000

interface SourceOptions {
  secrets: Secrets
  /** Whether the source may be a file of the machine that fetches it. */
  isFileAllowed: boolean
}

/** Adds a source, which is due at once. A supplier that does not exist yet is created. */
export async function addSource(
  tx: Tx,
  fields: SourceFields & { supplier: string },
  options: SourceOptions,
): Promise<FeedSource> {
  const { every = EVERY_ABSENT, mode = 'update' } = fields
  const columns = await columnsOf(tx, newUuid(), { ...fields, every, mode }, undefined, options)
  const { id } = await findOrCreateSupplier(tx, fields.supplier)
  await refuseTooMany(tx)
  await tx
    .insertInto('feed_source')
    .values({ ...columns, supplier_id: id, due_on: sql`market_clock()` })
    .execute()
  await wakeNodes(tx)
  const added = await getSource(tx, columns.uuid)
  await recordSource(tx, 'source.create', null, added)
  return added
}

async function recordSource(
  tx: Tx,
  action: string,
  before: FeedSource | null,
  after: FeedSource | null,
): Promise<void> {
  const { uuid = '' } = after ?? before ?? {}
  await recordEntry(tx, {
    action,
    subject: { kind: 'source', id: uuid },
    before: before && auditedFields(before),
    after: after && auditedFields(after),
  })
}

/** What the operator sets of a source, and none of its secrets. */
function auditedFields(source: FeedSource) {
  const { supplier, url, every, mode, user, ...others } = renderSource(source)
  const { has_password, has_key, host_key, sheet, mapping, paused_on } = others
  const access = { user, has_password, has_key, host_key }
  return { supplier, url, every, mode, ...access, sheet, mapping, paused_on }
}

/** Changes what is given. The source is due at once, so that the operator sees whether it works. */
export async function setSource(
  tx: Tx,
  uuid: string,
  fields: Partial<SourceFields>,
  options: SourceOptions,
): Promise<FeedSource> {
  const source = await getSource(tx, uuid, { isLocked: true })
  const columns = await columnsOf(tx, uuid, fields, source, options)
  await tx
    .updateTable('feed_source')
    .set({
      ...columns,
      // Another address has another file; what was seen says nothing about it.
      ...(fields.url !== undefined && { seen: null }),
      due_on: sql`market_clock()`,
      updated_on: sql`market_now()`,
    })
    .where('uuid', '=', uuid)
    .execute()
  await wakeNodes(tx)
  const changed = await getSource(tx, uuid)
  await recordSource(tx, 'source.change', source, changed)
  return changed
}

/** Checks the fields together with what is stored, and seals the secrets among them. */
async function columnsOf(
  tx: Tx,
  uuid: string,
  fields: Partial<SourceFields>,
  stored: FeedSource | undefined,
  { secrets, isFileAllowed }: SourceOptions,
) {
  const shown = fields.url ?? stored?.url ?? ''
  // The stored address was allowed when it was given, on the command line perhaps.
  const isStored = fields.url === undefined
  const url = checkSourceUrl(shown, { isFileAllowed: isFileAllowed || isStored })
  if (stored && !isStored) {
    if (stored.secret_query !== null) refuseHidden(shown, stored.url)
    refuseOtherServer(stored, url.shown, fields)
  }
  const given = <T>(value: T | undefined, earlier: T) => (value === undefined ? earlier : value)
  const user = given(fields.user, stored?.username ?? null)
  checkAccess({
    protocol: new URL(shown).protocol as Protocol,
    user,
    hasPassword: given(fields.password, stored?.password ?? null) !== null,
    hasKey: given(fields.key, stored?.private_key ?? null) !== null,
    hostKey: given(fields.host_key, stored?.host_key ?? null),
  })
  if (fields.key != null) checkPrivateKey(fields.key)
  if (fields.mapping != null) readStoneMapping(fields.mapping)
  const seal = async (text: string | null | undefined): Promise<Sealed | null> =>
    text == null ? null : secrets.seal(tx, text, secretRowOf(uuid))
  return {
    uuid,
    url: url.shown,
    every_seconds:
      fields.every === undefined ? (stored?.every_seconds ?? 0) : readEvery(fields.every),
    mode: fields.mode ?? stored?.mode ?? 'update',
    username: user,
    host_key: given(fields.host_key, stored?.host_key ?? null),
    sheet: given(fields.sheet, stored?.sheet ?? null),
    ...(fields.mapping !== undefined && {
      mapping: fields.mapping === null ? null : JSON.stringify(fields.mapping),
    }),
    ...(fields.password !== undefined && { password: await seal(fields.password) }),
    ...(fields.key !== undefined && { private_key: await seal(fields.key) }),
    ...(!isStored && { secret_query: await seal(url.secretQuery) }),
  }
}

/**
 * Someone who may change an address could otherwise have a secret, which nobody is shown, sent to
 * any server.
 */
function refuseOtherServer(
  { url, password, private_key }: FeedSource,
  next: string,
  given: Partial<SourceFields>,
): void {
  if (serverIn(url) === serverIn(next)) return
  const message = 'must be given again, or removed by null, for an address on another server'
  if (password !== null && given.password === undefined) throw refuseField('password', message)
  if (private_key !== null && given.key === undefined) throw refuseField('key', message)
}

/** The protocol is part of it: another one may send in the clear what was encrypted. */
function serverIn(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host.toLowerCase()}`
}

/** The lock lets one source be added at a time, so that two cannot exceed the limit together. */
async function refuseTooMany(tx: Tx): Promise<void> {
  await sql`lock table feed_source in share row exclusive mode`.execute(tx)
  const { count } = await tx
    .selectFrom('feed_source')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count < SOURCES_MAX) return
  throw new Refusal('wrong_state', `There are ${SOURCES_MAX} sources already; remove one first.`)
}

export async function listSources(
  db: Db,
  { supplier }: { supplier?: string | undefined },
): Promise<FeedSource[]> {
  const { rows } = await sql<FeedSource>`
    select source.*, supplier.name as supplier
    from feed_source as source join supplier on supplier.id = source.supplier_id
    ${supplier === undefined ? sql`` : sql`where lower(supplier.name) = lower(${supplier})`}
    order by lower(supplier.name), source.created_on, source.uuid`.execute(db)
  return rows
}

export async function getSource(
  db: Db | Tx,
  uuid: string,
  { isLocked = false } = {},
): Promise<FeedSource> {
  const { rows } = await sql<FeedSource>`
    select source.*, supplier.name as supplier
    from feed_source as source join supplier on supplier.id = source.supplier_id
    where source.uuid = ${uuid} ${isLocked ? sql`for update of source` : sql``}`.execute(db)
  if (rows.length > 0) return rows[0]
  throw new Refusal('not_found', `There is no source ${uuid}.`)
}

/** Pauses a source: nothing is due until it is resumed. A run that has begun is finished. */
export function pauseSource(tx: Tx, uuid: string): Promise<FeedSource> {
  return switchSource(tx, 'source.pause', uuid, sql`paused_on = coalesce(paused_on, market_now())`)
}

/** What was due in the meantime is due now, once. */
export async function resumeSource(tx: Tx, uuid: string): Promise<FeedSource> {
  const source = await switchSource(tx, 'source.resume', uuid, sql`paused_on = null`)
  await wakeNodes(tx)
  return source
}

async function switchSource(
  tx: Tx,
  action: string,
  uuid: string,
  change: ReturnType<typeof sql>,
): Promise<FeedSource> {
  const earlier = await getSource(tx, uuid, { isLocked: true })
  await sql`update feed_source set ${change}, updated_on = market_now()
    where uuid = ${uuid}`.execute(tx)
  const source = await getSource(tx, uuid)
  await recordSource(tx, action, earlier, source)
  return source
}

/** Removes a source with its runs. What it imported stays. */
export function removeSource(db: Db | Tx, uuid: string): Promise<FeedSource> {
  return withinTransaction(db, async (tx) => {
    const source = await getSource(tx, uuid, { isLocked: true })
    await tx.deleteFrom('feed_source').where('uuid', '=', uuid).execute()
    await recordSource(tx, 'source.remove', source, null)
    return source
  })
}

/**
 * After a key was lost for good: removes the secrets that nobody can open, and pauses their sources
 * until the operator gives them again. Returns the uuids.
 */
export async function dropLostSourceSecrets(tx: Tx, secrets: Secrets): Promise<string[]> {
  const dropped: string[] = []
  const { rows } = await sql<FeedSource>`
    select * from feed_source order by uuid for update`.execute(tx)
  for (const { uuid, password, private_key, secret_query } of rows) {
    const stored = [password, private_key, secret_query].filter((value) => value !== null)
    const canOpen = await Promise.all(stored.map((value) => secrets.canOpen(value)))
    if (canOpen.every(Boolean)) continue
    await sql`update feed_source set password = null, private_key = null, secret_query = null,
      paused_on = coalesce(paused_on, market_now()), updated_on = market_now()
      where uuid = ${uuid}`.execute(tx)
    dropped.push(uuid)
  }
  return dropped
}

async function wakeNodes(tx: Tx): Promise<void> {
  await sql`select pg_notify(${SOURCE_CHANNEL}, '')`.execute(tx)
}
