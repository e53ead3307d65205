import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'

/** A stone that shares its certificate with another. */
interface ConflictingStone {
  sku: string
  supplier: string
  vendor_sku: string
  weight: number
  color: string | null
  shape: string
  state: string
}

/** A certificate that several stones claim. All stay on sale until the operator decides. */
interface CertificateConflict {
  lab: string | null
  cert_num: string
  /** Which of weight, color and shape differ between the stones; empty when they agree. */
  contradicts: string[]
  suppliers: number
  stones: ConflictingStone[]
}

const WEIGHT_TOLERANCE_CARATS = 0.01

/**
 * Lists certificates of more than one stone, from two suppliers or twice from one. Stones that are
 * gone from their feed do not count.
 */
export async function listConflicts(
  db: Db,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ conflicts: CertificateConflict[]; total: number }> {
  const { rows } = await sql<CertificateConflict & { total: number; weight_gap: number }>`
    with shared as (
      select cert_num, coalesce(lab, lab_original, '') as lab_name
      from gem where cert_num is not null and state <> 'gone'
      group by 1, 2 having count(*) > 1
    )
    select count(*) over () as total, nullif(shared.lab_name, '') as lab, shared.cert_num,
      count(distinct g.supplier_id)::int as suppliers,
      array_remove(array[
        case when max(g.weight) - min(g.weight) > ${WEIGHT_TOLERANCE_CARATS} then 'weight' end,
        case when count(distinct coalesce(g.color, '')) > 1 then 'color' end,
        case when count(distinct g.shape) > 1 then 'shape' end], null) as contradicts,
      jsonb_agg(jsonb_build_object('sku', g.sku, 'supplier', s.name, 'vendor_sku', g.vendor_sku,
        'weight', g.weight, 'color', g.color, 'shape', g.shape, 'state', g.state)
        order by s.name, g.vendor_sku) as stones
    from shared
    join gem g on g.cert_num = shared.cert_num and g.state <> 'gone'
      and coalesce(g.lab, g.lab_original, '') = shared.lab_name
    join supplier s on s.id = g.supplier_id
    group by shared.cert_num, shared.lab_name
    order by shared.cert_num, shared.lab_name limit ${limit} offset ${offset}`.execute(db)
  const conflicts = rows.map(({ lab, cert_num, contradicts, suppliers, stones }) => {
    return { lab, cert_num, contradicts, suppliers, stones }
  })
  // Behind the last page there is no row that could tell the total.
  if (rows.length === 0 && offset > 0) {
    return { conflicts, total: (await listConflicts(db, { limit: 1, offset: 0 })).total }
  }
  return { conflicts, total: rows[0]?.total ?? 0 }
}
