import { type RawBuilder, sql } from 'kysely'
import { recordEntry } from '../../audit/record-entry.ts'
import type { Db, Tx } from '../../database/open.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import { FEED_COLUMNS, type Gem } from '../gem.ts'

export type OperatorAction = 'gem.set' | 'gem.release' | 'conflict.decide'

export type FieldChanges = Record<string, { from: unknown; to: unknown }>

interface OperatorChange {
  sku: string
  action: OperatorAction
  changes: FieldChanges
}

/** Records in the audit what the operator did to a stone; its history is read from there. */
export async function recordHistory(tx: Tx, { sku, action, changes }: OperatorChange) {
  const side = (name: 'from' | 'to') =>
    Object.fromEntries(Object.entries(changes).map(([field, change]) => [field, change[name]]))
  const subject = { kind: 'gem', id: sku }
  await recordEntry(tx, { action, subject, before: side('from'), after: side('to') })
}

/** Something that happened to a stone. */
interface HistoryEntry {
  changed_on: string
  action: string
  actor: { kind: ActorKind; uuid: string | null; name: string | null }
  changes: FieldChanges
  /** The order, hold or import that it is part of. */
  subject: { kind: 'order' | 'hold' | 'import'; uuid: string } | null
}

export const ACTOR_KINDS = ['operator', 'merchant', 'supplier', 'system'] as const
type ActorKind = (typeof ACTOR_KINDS)[number]

/** More than a person reads; a stone that is older has lost nothing that is recorded elsewhere. */
export const HISTORY_MAX = 200

interface StoredEntry {
  changed_on: string
  action: string
  actor_kind: ActorKind
  actor_uuid: string | null
  actor_name: string | null
  changes: FieldChanges
  subject_kind: 'order' | 'hold' | 'import' | null
  subject_uuid: string | null
}

/**
 * What is recorded of a stone, newest first: what the operator did, holds, orders, prices, rows in
 * quarantine, and the supplier's last import. Each source has an index by stone.
 */
export async function readHistory(db: Db, gem: Gem): Promise<HistoryEntry[]> {
  const sources = [
    operatorEntries(gem),
    holdEntries(gem),
    orderEntries(gem),
    orderChanges(gem),
    priceEntries(gem),
    quarantineEntries(gem),
    listingEntry(gem),
  ].map((source) => sql`(${source} order by changed_on desc limit ${HISTORY_MAX})`)
  const { rows } = await sql<StoredEntry>`
    select * from (${sql.join(sources, sql` union all `)}) as entry
    order by changed_on desc limit ${HISTORY_MAX}`.execute(db)
  const entries = [...rows, ...(await readImportEntry(db, gem))]
  return withoutRepeatedReleases(entries)
    .toSorted((a, b) => (a.changed_on < b.changed_on ? 1 : -1))
    .slice(0, HISTORY_MAX)
    .map(renderEntry)
}

/** The merchant heard of the end of its hold; it was the operator who ended it. */
function withoutRepeatedReleases(entries: readonly StoredEntry[]): StoredEntry[] {
  const ended = new Set(entries.map(({ changes }) => changes.hold?.from))
  return entries.filter(
    ({ action, subject_uuid }) => action !== 'hold.release' || !ended.has(subject_uuid),
  )
}

function renderEntry(entry: StoredEntry): HistoryEntry {
  const { subject_kind, subject_uuid } = entry
  const hasSubject = subject_kind !== null && subject_uuid !== null
  return {
    changed_on: isoWithOffset(entry.changed_on),
    action: entry.action,
    actor: { kind: entry.actor_kind, uuid: entry.actor_uuid, name: entry.actor_name },
    changes: entry.changes,
    subject: hasSubject ? { kind: subject_kind, uuid: subject_uuid } : null,
  }
}

type Source = RawBuilder<unknown>

function operatorEntries({ sku }: Gem): Source {
  return sql`
    select at as changed_on, action, 'operator' as actor_kind, actor_uuid, actor_name,
      (select coalesce(jsonb_object_agg(field,
          jsonb_build_object('from', before -> field, 'to', after -> field)), '{}')
        from jsonb_object_keys(after) as field) as changes,
      null::text as subject_kind, null::uuid as subject_uuid
    from audit_entry where subject_kind = 'gem' and subject_id = ${sku} and after <> '{}'`
}

function holdEntries({ sku }: Gem): Source {
  return sql`
    select event.created_on as changed_on, event_type,
      case event_type when 'hold.expire' then 'system' else 'merchant' end,
      coalesce(person.actor_uuid, merchant.uuid), coalesce(person.actor_name, merchant.legal_dba),
      '{}'::jsonb, 'hold', (event_data->>'hold_uuid')::uuid
    from event join merchant on merchant.uuid = event.merchant_uuid
    ${personOf(sql`event_data->>'hold_uuid'`)}
    where event_type like 'hold.%' and event_data->>'sku' = ${sku}`
}

/** The person who caused an event, by the entry of the audit that was written with it. */
function personOf(subjectId: Source): Source {
  return sql`left join audit_entry as person on person.subject_id = ${subjectId}
    and person.uuid = event.uuid and person.actor_kind = 'user'`
}

/** The lines of orders that have the stone; those of a parcel say how many pieces. */
function orderEntries({ sku }: Gem): Source {
  return sql`
    select ordered_on as changed_on, 'order.create',
      case order_channel when 'operator' then 'operator' else 'merchant' end,
      merchant_uuid, merchant_legal_dba,
      jsonb_build_object('ordered', jsonb_build_object('from', null, 'to', line.quantity)),
      'order', orders.uuid
    from order_line as line join orders on orders.uuid = line.order_uuid
    where line.sku = ${sku}`
}

const ORDER_CHANGES = [
  'order.cancel',
  'order.line.decline',
  'order.memo.return',
  'order.memo.convert',
  'order.return.receive',
]

function orderChanges({ sku }: Gem): Source {
  return sql`
    select event.created_on as changed_on, event_type, coalesce(event_data->>'by', 'operator'),
      coalesce(person.actor_uuid, case event_data->>'by' when 'merchant' then event.merchant_uuid
        when 'supplier' then supplier.uuid end),
      coalesce(person.actor_name, case event_data->>'by' when 'merchant' then merchant.legal_dba
        when 'supplier' then supplier.name end),
      coalesce((
        select jsonb_build_object('ordered',
          jsonb_build_object('from', unit->'quantity', 'to', 0))
        from jsonb_array_elements(event_data->'line_items') as unit
        where unit->>'uuid' = line.uuid::text), '{}'),
      'order', line.order_uuid
    from order_line as line join event on event.order_uuid = line.order_uuid
    left join merchant on merchant.uuid = event.merchant_uuid
    left join supplier on supplier.id = line.supplier_id
    ${personOf(sql`coalesce(event_data->>'return_uuid', line.order_uuid::text)`)}
    where line.sku = ${sku} and event_type = any(${ORDER_CHANGES}::text[])
      and (event_type = 'order.memo.convert'
        or event_data->'line_items' @> jsonb_build_array(jsonb_build_object('uuid', line.uuid)))`
}

/** A price after a change is the price before the next one, or the present one. */
function priceEntries(gem: Gem): Source {
  const change = (name: string, present: string) => {
    const before = sql.ref(`${name}_before`)
    const after = sql`coalesce(lead(${before}) over stone, ${present}::numeric)`
    return sql`case when ${before} is distinct from ${after}
      then jsonb_build_object(${name}::text, jsonb_build_object('from', ${before}, 'to', ${after}))
      else '{}' end`
  }
  return sql`
    select changed_on, 'price.change', 'system', null::uuid, null::text,
      ${change('wholesale_price', gem.wholesale_price)}
        || ${change('wholesale_price_us', gem.wholesale_price_us)}, null::text, null::uuid
    from price_change where gem_id = ${gem.id} window stone as (order by n)`
}

function quarantineEntries({ supplier_id, vendor_sku }: Gem): Source {
  return sql`
    select decided_on as changed_on,
      case decision when 'released' then 'quarantine.release' else 'quarantine.dismiss' end,
      'operator', null::uuid, null::text, '{}'::jsonb, null::text, null::uuid
    from quarantine_decision
    where supplier_id = ${supplier_id} and vendor_sku = ${vendor_sku}`
}

/** The import is known as long as it is the supplier's last one. */
function listingEntry({ id, supplier_id }: Gem): Source {
  return sql`
    select gem.created_on as changed_on, 'gem.list', 'supplier', supplier.uuid, supplier.name,
      '{}'::jsonb, 'import', (
        select import_uuid from import_added join import on import.uuid = import_uuid
        where import.supplier_id = ${supplier_id} and ${id}::bigint = any(gem_ids) limit 1)
    from gem join supplier on supplier.id = gem.supplier_id where gem.id = ${id}`
}

/** What the supplier's last import changed: its journal has what the feed said before. */
async function readImportEntry(db: Db, gem: Gem): Promise<StoredEntry[]> {
  const { rows } = await sql<Omit<StoredEntry, 'changes'> & Journal>`
    select coalesce(import.finished_on, import.started_on) as changed_on,
      'import.change' as action, 'supplier' as actor_kind, supplier.uuid as actor_uuid,
      supplier.name as actor_name, 'import' as subject_kind, import.uuid as subject_uuid,
      to_jsonb(journal) as before, to_jsonb(gem) || coalesce(gem.feed_values, '{}') as after
    from import join import_before as journal on journal.import_uuid = import.uuid
    join gem on gem.id = journal.gem_id join supplier on supplier.id = import.supplier_id
    where import.supplier_id = ${gem.supplier_id} and journal.gem_id = ${gem.id}`.execute(db)
  return rows.map(({ before, after, ...entry }) => ({
    ...entry,
    changes: differences(before, after),
  }))
}

interface Journal {
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/** The decimals behind the cents are not shown anywhere. */
const COMPARED = [...FEED_COLUMNS.filter((column) => column !== 'cost_exact'), 'state'] as const

function differences(before: Journal['before'], after: Journal['after']): FieldChanges {
  const changes: FieldChanges = {}
  for (const column of COMPARED) {
    const [from, to] = [before[column], after[column]]
    if (from === undefined || JSON.stringify(from) === JSON.stringify(to)) continue
    changes[column] = { from, to }
  }
  return changes
}
