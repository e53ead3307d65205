import { sql } from 'kysely'
import type { Tx } from '../database/open.ts'
import { FEED_COLUMNS } from '../gems/gem.ts'
import { changeGem, type GemChange } from '../gems/operator/change-gem.ts'
import { queueMail } from '../notices/outbox/mail-store.ts'
import { changeSettings, type SettingName } from '../orders/documents/settings.ts'
import { addChargeRule } from '../orders/ledger/rule-store.ts'
import { asOperator } from './actors.ts'
import { uuidFromSeed } from './chance.ts'

interface Chosen {
  sku: string
  product_type: string
  wholesale_price: number
  wholesale_price_us: number
}

type Decision = (stone: Chosen) => GemChange

const cheaper: Decision = ({ wholesale_price, wholesale_price_us }) => ({
  wholesale_price: cents(wholesale_price * 0.94),
  wholesale_price_us: cents(wholesale_price_us * 0.94),
  note: 'Special price until the end of the month',
})

const DIAMONDS: Decision[] = [
  cheaper,
  cheaper,
  () => ({ can_hold: false, returnable: false, note: 'Reserved for the fair; firm sales only' }),
  () => ({
    is_sustainable: true,
    sustainability_details: { evidence: 'Letter of the mine, in our files' },
  }),
  () => ({ media_requested: true, note: 'The supplier sends a new picture' }),
  () => ({ enabled: false, note: 'Chip at the girdle; goes back to the supplier' }),
]
const PARCELS: Decision[] = [() => ({ tolerance_positive: 0.02, tolerance_negative: 0.02 })]

/** Who sells, as the documents of the orders say it. */
export async function nameDemoSeller(tx: Tx): Promise<void> {
  await changeSettings(
    tx,
    new Map<SettingName, string>([
      ['seller.name', 'Demo Gems'],
      ['seller.address', '48 Market Street\nNew York, NY 10036\nUnited States'],
      ['seller.tax_number', 'US 98-7654321'],
      ['seller.bank', 'Example Bank\nAccount 000123456\nSWIFT EXAMUS33'],
    ]),
  )
}

/**
 * What an operator has done by hand: special prices, terms, a stone that is disabled with a note,
 * and rows in quarantine that are still to be decided.
 */
export async function setSomeByHand(tx: Tx, asOfMs: number): Promise<void> {
  await asOperator(tx)
  await decide(tx, await choose(tx, 'diamond', DIAMONDS.length), DIAMONDS)
  await decide(tx, await choose(tx, 'melee', PARCELS.length), PARCELS)
  // The same seed must give the same `updated_on`, so it is set to the time of the market.
  await sql`
    update gem set updated_on = ${new Date(asOfMs).toISOString()}::timestamptz
    where overrides is not null`.execute(tx)
  await quarantineSome(tx)
  await countSearches(tx, asOfMs)
}

/** Searches of the last two months, fewer on weekends, of which every twelfth found nothing. */
async function countSearches(tx: Tx, asOfMs: number): Promise<void> {
  await sql`
    insert into search_day (day, kind, searches, empty)
    select day, kind, searches, searches / 12 from (
      select day::date, kind, case when extract(isodow from day) > 5 then most / 4
        else most - (extract(doy from day)::int * 37) % (most / 2) end as searches
      from generate_series(${new Date(asOfMs).toISOString()}::timestamptz - interval '60 days',
          ${new Date(asOfMs).toISOString()}::timestamptz - interval '1 day', '1 day') as day,
        (values ('diamond', 420), ('gemstone', 60), ('curated', 90)) as each (kind, most)
    ) as counted`.execute(tx)
}

async function decide(tx: Tx, stones: Chosen[], decisions: Decision[]): Promise<void> {
  for (const [at, stone] of stones.entries()) {
    await changeGem(tx, stone.sku, decisions[at](stone))
  }
}

/** Stones on sale that nobody holds and that have one offer, the newest first. */
async function choose(tx: Tx, productType: string, count: number): Promise<Chosen[]> {
  const { rows } = await sql<Chosen>`
    select sku, product_type, wholesale_price::float8, wholesale_price_us::float8 from gem
    where product_type = ${productType} and state = 'available' and quantity > 0
      and hold_uuid is null and not is_fancy
      and not exists (select from offer where offer.gem_id = gem.id)
    order by id desc limit ${count}`.execute(tx)
  return rows
}

function cents(dollars: number): number {
  return Math.round(dollars * 100) / 100
}

/**
 * Rules of charges for countries where no merchant of the demo is, so that its orders cost what
 * their goods cost; and e-mails that a mail server refused.
 */
export async function createDemoRecords(tx: Tx): Promise<void> {
  const operator = await asOperator(tx)
  for (const rule of CHARGE_RULES) await addChargeRule(operator, rule)
  for (const recipient of REFUSED_RECIPIENTS) {
    const uuid = await queueMail(operator, { ...REFUSED_MAIL, to: recipient })
    await sql`update mail set state = 'failed', attempts = 1, last_status = 550,
      last_error = '550 no such user' where uuid = ${uuid}`.execute(operator)
  }
}

const CHARGE_RULES = [
  { country_code: 'CA', kind: 'shipping', label: 'Insured shipping', amount: '60.00' },
  { country_code: 'CH', kind: 'shipping', label: 'Insured shipping', amount: '75.00' },
] as const

const REFUSED_RECIPIENTS = ['office@facet-street.example', 'accounts@facet-street.example']
const REFUSED_MAIL = {
  kind: 'test',
  subject: 'A test of the mail server',
  text: 'Notices of the demo market will arrive here.',
  html: '<p>Notices of the demo market will arrive here.</p>',
}

/** The row's stone is like one on sale, at a price with a digit too many. */
const PRICE_FACTOR = 12

/** One to look at, one to put on sale and one to dismiss. */
const QUARANTINED = 3

async function quarantineSome(tx: Tx): Promise<void> {
  const { rows } = await sql<Mistyped>`
    select gem.id, gem.supplier_id, supplier.name as supplier, gem.vendor_sku,
      (gem.cost * ${PRICE_FACTOR})::text as cost
    from gem join supplier on supplier.id = gem.supplier_id
    where product_type = 'diamond' and state = 'available' and not is_fancy
      and cert_num is null
    order by gem.id desc limit ${QUARANTINED}`.execute(tx)
  for (const row of rows) await insertQuarantined(tx, row)
}

interface Mistyped {
  id: number
  supplier_id: number
  supplier: string
  vendor_sku: string
  cost: string
}

/** As an import writes it; releasing the row puts its stone on sale. */
async function insertQuarantined(tx: Tx, row: Mistyped): Promise<void> {
  const { id, supplier_id, supplier, vendor_sku, cost } = row
  const uuid = uuidFromSeed('import', vendor_sku)
  const stock = `${vendor_sku}-B`
  await sql`
    insert into import (uuid, supplier_id, mode, status, file_name, currency_code, rows, rejected,
      started_on, finished_on)
    values (${uuid}, ${supplier_id}, 'update', 'done', ${`${supplier}.csv`}, 'USD', 1, 1,
      market_now(), market_now())`.execute(tx)
  const draft = sql`(
    select jsonb_object_agg(key, value) || jsonb_build_object('kind', 'new', 'row', 2,
      'vendor_sku', ${stock}::text, 'cost', ${cost}::numeric, 'price_text', ${cost}::text,
      'wholesale_price', wholesale_price * ${PRICE_FACTOR}::integer,
      'wholesale_price_us', wholesale_price_us * ${PRICE_FACTOR}::integer, 'quantity', 1)
    from gem cross join jsonb_each(to_jsonb(gem))
    where id = ${id} and key = any(${FEED_COLUMNS}::text[])
    group by gem.id)`
  const reason = `The price is about ${PRICE_FACTOR} times higher than for similar stones`
  await sql`
    insert into import_rejection (import_uuid, place, row, "column", value, reason, quarantined,
      vendor_sku, uuid, draft)
    values (${uuid}, 0, 2, 'Total Price', ${cost}, ${reason}, true, ${stock},
      ${uuidFromSeed('row', stock)}, ${draft})`.execute(tx)
}
