import { sql } from 'kysely'
import type { Db } from '../database/open.ts'

/** An offer of a stone whose offers contradict each other. */
interface ConflictingStone {
  sku: string
  supplier: string
  vendor_sku: string
  weight: number
  shape: string
  color: string | null
  clarity: string | null
  type: string
  state: string
}

/**
 * A certificate whose offers are not the same stone, as it seems. They are sold as one until the
 * operator decides. Laboratory and number are normalised, as the path of the decision takes them.
 */
interface CertificateConflict {
  lab: string
  cert_num: string
  /** Which of weight, shape, color, clarity and type differ; never empty. */
  contradicts: string[]
  suppliers: number
  stones: ConflictingStone[]
}

/** Two laboratories' scales differ by less. */
const WEIGHT_TOLERANCE_CARATS = 0.01

/** What conflicts can be sorted by; `listed_on` is when the newest of the offers was listed. */
const SORTS = {
  cert_num: sql`cert_num`,
  lab: sql`lab`,
  suppliers: sql`suppliers`,
  listed_on: sql`listed_on`,
} as const

type ConflictSort = keyof typeof SORTS
export const CONFLICT_SORTS = Object.keys(SORTS) as ConflictSort[]

interface ConflictQuery {
  supplier?: string | undefined
  sort_col?: ConflictSort | undefined
  sort_order?: 'asc' | 'desc' | undefined
  limit: number
  offset: number
}

function orderOf({ sort_col = 'cert_num', sort_order = 'asc' }: ConflictQuery) {
  return sql`${SORTS[sort_col]} ${sort_order === 'desc' ? sql`desc` : sql`asc`}, cert_num, lab`
}

/**
 * Lists certificates whose offers contradict each other, and about which the operator has not
 * decided since the newest of them was listed. Offers that are gone or disabled do not count, and a
 * value that one of them lacks contradicts nothing. With a supplier, one of them must be its own.
 */
export async function listConflicts(
  db: Db,
  query: ConflictQuery,
): Promise<{ conflicts: CertificateConflict[]; total: number }> {
  const { limit, offset, supplier = null } = query
  const { rows } = await sql<CertificateConflict & { total: number }>`
    with several as (
      select offer.certificate, count(distinct g.supplier_id)::int as suppliers,
        max(g.created_on) as listed_on,
        array_remove(array[
          case when max(g.weight) - min(g.weight) > ${WEIGHT_TOLERANCE_CARATS} then 'weight' end,
          case when count(distinct g.shape) > 1 then 'shape' end,
          case when count(distinct g.color) > 1 then 'color' end,
          case when count(distinct g.clarity) > 1 then 'clarity' end,
          case when count(distinct g.type) > 1 then 'type' end], null) as contradicts,
        jsonb_agg(jsonb_build_object('sku', g.sku, 'supplier', s.name,
          'vendor_sku', g.vendor_sku, 'weight', g.weight, 'shape', g.shape, 'color', g.color,
          'clarity', g.clarity, 'type', g.type, 'state', g.state)
          order by s.name, g.vendor_sku) as stones
      from offer join gem g on g.id = offer.gem_id join supplier s on s.id = g.supplier_id
      left join certificate_decision d on d.certificate = offer.certificate
      group by offer.certificate, d.decided_on
      having (d.decided_on is null or max(g.created_on) > d.decided_on)
        and (${supplier}::text is null or bool_or(lower(s.name) = lower(${supplier})))
    )
    select count(*) over () as total, split_part(certificate, '/', 2) as lab,
      split_part(certificate, '/', 1) as cert_num, contradicts, suppliers, stones
    from several where contradicts <> '{}'
    order by ${orderOf(query)} limit ${limit} offset ${offset}`.execute(db)
  const conflicts = rows.map(({ lab, cert_num, contradicts, suppliers, stones }) => {
    return { lab, cert_num, contradicts, suppliers, stones }
  })
  // Behind the last page there is no row that could tell the total.
  if (rows.length === 0 && offset > 0) {
    return { conflicts, total: (await listConflicts(db, { ...query, limit: 1, offset: 0 })).total }
  }
  return { conflicts, total: rows[0]?.total ?? 0 }
}
