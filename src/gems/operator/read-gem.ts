import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import type { Gem } from '../gem.ts'
import type { LifeState } from '../gem-life.ts'
import { renderStone } from '../gem-rendering.ts'
import { isEnabled } from './change-gem.ts'
import { readHistory } from './gem-history.ts'

type StoredGem = Gem & { supplier: string; life_state: LifeState; holder: string | null }

/** Everything about one stone, as the operator sees it, by HTTP and on the command line. */
export async function readGem(db: Db, sku: string, publicUrl: string) {
  const gem = await getGem(db, sku)
  return {
    ...renderGem(gem, publicUrl),
    offers: await listOffers(db, gem.id),
    history: await readHistory(db, gem),
  }
}

export type OperatorGem = Awaited<ReturnType<typeof readGem>>

async function getGem(db: Db, sku: string): Promise<StoredGem> {
  const { rows } = await sql<StoredGem>`
    select gem.*, supplier.name as supplier, life_state(gem) as life_state,
      merchant.legal_dba as holder
    from gem join supplier on supplier.id = gem.supplier_id
    left join merchant on merchant.uuid = gem.hold_merchant_uuid
    where gem.sku = ${sku}`.execute(db)
  if (rows[0]) return rows[0]
  throw new Refusal('not_found', `There is no stone ${JSON.stringify(sku.slice(0, 100))}.`)
}

/** What merchants see, and what only the operator sees. */
function renderGem(gem: StoredGem, publicUrl: string) {
  const amount = (digits: string | null) => (digits === null ? null : Number(digits))
  return {
    ...renderStone(gem, publicUrl),
    is_manual: gem.is_manual,
    is_sustainable: gem.is_sustainable,
    species: gem.species,
    origin: gem.origin,
    treatment: gem.treatment,
    lab_name: gem.lab_name,
    shade: gem.shade,
    milky: gem.milky,
    black_inclusion: gem.black_inclusion,
    // The column begins with the number.
    certificate: gem.certificate?.split('/').reverse().join('/') ?? null,
    supplier_id: gem.supplier_id,
    supplier: gem.supplier,
    vendor_sku: gem.vendor_sku,
    cost: Number(gem.cost),
    wholesale_price: Number(gem.wholesale_price),
    wholesale_price_us: Number(gem.wholesale_price_us),
    off_rap_price: amount(gem.list_price),
    off_rap_price_from_grid: gem.list_price_from_grid,
    state: gem.life_state,
    enabled: isEnabled(gem),
    on_hold: gem.life_state === 'held',
    hold: holdOf(gem),
    internal_days_to_return: gem.internal_days_to_return,
    tolerance_positive: amount(gem.tolerance_positive),
    tolerance_negative: amount(gem.tolerance_negative),
    cached_ux_url: gem.cached_ux_url,
    pair_vendor_sku: gem.pair_vendor_sku,
    pair_sku: gem.pair_sku,
    pair_separable: gem.pair_separable,
    created_on: isoWithOffset(gem.created_on),
    updated_on: isoWithOffset(gem.updated_on),
    note: gem.note,
    overrides: gem.overrides ?? {},
    feed_values: gem.feed_values ?? {},
  }
}

function holdOf(gem: StoredGem) {
  const { hold_uuid, hold_merchant_uuid, hold_created_on, hold_expires_on } = gem
  if (gem.life_state !== 'held' || hold_created_on === null || hold_expires_on === null) return null
  return {
    uuid: hold_uuid,
    merchant_uuid: hold_merchant_uuid,
    merchant: gem.holder,
    created_on: isoWithOffset(hold_created_on),
    expires_on: isoWithOffset(hold_expires_on),
  }
}

interface ListedOffer {
  sku: string
  supplier: string
  vendor_sku: string
  state: LifeState
  quantity: number
  wholesale_price: number
  wholesale_price_us: number
  leads: boolean
  leads_us: boolean
  created_on: string
}

/** All listings of the stone, this one included, cheapest first. */
async function listOffers(db: Db, id: number): Promise<ListedOffer[]> {
  const { rows } = await sql<ListedOffer>`
    select gem.sku, supplier.name as supplier, gem.vendor_sku, life_state(gem) as state,
      gem.quantity, gem.wholesale_price, gem.wholesale_price_us,
      coalesce(offer.leads, is_on_sale) as leads, coalesce(offer.leads_us, is_on_sale) as leads_us,
      gem.created_on
    from gem join supplier on supplier.id = gem.supplier_id
    cross join lateral (select gem.state = 'available' and gem.quantity > 0 as is_on_sale) as now
    left join offer on offer.gem_id = gem.id
    where gem.id in (select offers_of(${id}))
    order by gem.wholesale_price, gem.created_on, gem.id`.execute(db)
  return rows.map((row) => ({
    ...row,
    wholesale_price: Number(row.wholesale_price),
    wholesale_price_us: Number(row.wholesale_price_us),
    created_on: isoWithOffset(row.created_on),
  }))
}
