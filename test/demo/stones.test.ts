import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { DEMO_STONES, type DemoMarket, fillDemoMarket } from '../../src/demo/market.ts'
import { MAKES } from '../../src/demo/stones/diamond-measurements.ts'
import { refreshGridPrices } from '../../src/feeds/grids/grid-prices.ts'
import { listGrids } from '../../src/feeds/grids/grid-store.ts'
import { undoImport } from '../../src/feeds/importing/applying/undo-import.ts'
import { decideQuarantined, listQuarantine } from '../../src/feeds/importing/quarantine.ts'
import { ratioGroupOf, SKU_PATTERN } from '../../src/gems/gem.ts'
import { listConflicts } from '../../src/gems/list-conflicts.ts'
import { markupFactor, wholesaleCents } from '../../src/gems/supplier.ts'
import { centsFrom } from '../../src/lib/money.ts'
import { findDemoPicture } from '../../src/pictures/demo-names.ts'
import { listRates } from '../../src/pricing/exchange-rates.ts'
import { CLARITIES, COLORS, type Shape } from '../../src/reference/attributes.ts'
import { useDatabase } from '../support/stones.ts'

const database = useDatabase()
let market: DemoMarket
beforeAll(async () => {
  market = await fillDemoMarket(database.current, {
    realm: 'test',
    stones: DEMO_STONES,
    seed: 1,
    publicUrl: 'http://pavilion.test',
  })
})

/** Runs a query over single diamonds. */
async function ask<Row>(query: RawBuilder<Row>): Promise<Row[]> {
  return (await query.execute(database.current.db)).rows
}

/** Returns the share of the single diamonds that meet a condition. */
async function share(condition: RawBuilder<unknown>, among = sql`true`): Promise<number> {
  const [{ part }] = await ask(sql<{ part: number }>`
    select avg(((${condition}) is true)::int)::float8 as part
    from gem where product_type = 'diamond' and ${among}`)
  return part
}

function expectNear(value: number, wanted: number, by: number): void {
  expect(Math.abs(value - wanted), `${value} is not near ${wanted}`).toBeLessThanOrEqual(by)
}

describe('the demo market of the first start', () => {
  it('has everything that is specified', async () => {
    expect(market).toMatchObject({ diamonds: DEMO_STONES, gemstones: 300 })
    const [found] = await ask(sql<Record<string, number>>`
      select count(*) filter (where product_type = 'diamond') as diamonds,
        count(distinct shape) filter (where product_type = 'diamond') as shapes,
        count(distinct type) filter (where product_type = 'diamond') as types,
        count(distinct supplier_id) as suppliers,
        count(distinct country_code) as countries,
        count(*) filter (where wholesale_price <> wholesale_price_us) as two_prices,
        count(*) filter (where is_fancy) as fancy,
        count(*) filter (where hold_expires_on > now() + interval '7 days') as held,
        count(*) filter (where product_type = 'diamond' and cert_num is null) as uncertified,
        count(*) filter (where product_type = 'diamond' and image_top_url is null) as unpictured,
        count(*) filter (where product_type = 'diamond' and memo) as memo,
        count(*) filter (where product_type = 'melee' and quantity = 0) as empty_parcels,
        count(distinct (shape, type)) filter (where product_type = 'melee') as parcel_kinds,
        count(distinct species) as species
      from gem`)
    expect(found.diamonds - found.fancy).toBeGreaterThan(20_000)
    expect(found.shapes).toBeGreaterThanOrEqual(10)
    expect(found.types).toBe(2)
    expect(found.suppliers).toBeGreaterThanOrEqual(5)
    expect(found.countries).toBeGreaterThanOrEqual(5)
    expect(found.two_prices).toBeGreaterThan(20_000)
    expect(found.parcel_kinds).toBe(18)
    for (const name of ['fancy', 'held', 'uncertified', 'unpictured', 'memo', 'empty_parcels']) {
      expect([name, found[name] > 5]).toEqual([name, true])
    }
    expect(found.species).toBeGreaterThanOrEqual(8)
    const rates = (await listRates(database.current.db)).map((rate) => rate.currency_code)
    expect(rates).toEqual(['AUD', 'CAD', 'CHF', 'EUR', 'GBP', 'INR', 'JPY'])
  })

  it('has the proportions of the trade', async () => {
    expectNear(await share(sql`shape = 'round'`), 0.48, 0.015)
    expectNear(await share(sql`shape = 'oval'`), 0.11, 0.01)
    expectNear(await share(sql`type = 'lab grown'`), 0.45, 0.015)
    expectNear(await share(sql`is_fancy`), 0.02, 0.004)
    expectNear(await share(sql`lab = 'GIA'`, sql`type = 'mined'`), 0.8, 0.015)
    expectNear(await share(sql`lab = 'IGI'`, sql`type = 'lab grown'`), 0.81, 0.015)
    expectNear(await share(sql`fluorescence = 'None'`, sql`type = 'mined'`), 0.61, 0.015)
    expectNear(await share(sql`image_top_url is not null`), 0.76, 0.015)
    expectNear(await share(sql`pair_vendor_sku is not null`), 0.024, 0.006)
    expect(await share(sql`cut_grade is null`, sql`shape <> 'round'`)).toBe(1)
    expect(await share(sql`grow_method is null`, sql`type = 'mined'`)).toBe(1)
  })

  it('leaves each merchant most of its fifty holds', async () => {
    const holds = await ask(sql<{ count: number }>`
      select count(*) from gem where hold_uuid is not null group by hold_merchant_uuid`)
    expect(holds).toHaveLength(2)
    for (const { count } of holds) expect(count).toBeLessThanOrEqual(15)
  })
})

describe('a demo diamond', () => {
  it('has a weight, a ratio and a depth that fit its measurements', async () => {
    const stones = await ask(sql<Record<string, string> & { shape: Shape }>`
      select sku, shape, weight, length, width, depth, ratio, ratio_group, depth_percentage
      from gem where product_type = 'diamond'`)
    const wrong = stones.filter((stone) => {
      const [length, width, depth] = [stone.length, stone.width, stone.depth].map(Number)
      const estimated = MAKES[stone.shape].density * length * width * depth
      return !(
        Math.abs(estimated / Number(stone.weight) - 1) < 0.04 &&
        length >= width &&
        Math.abs(length / width - Number(stone.ratio)) < 0.0051 &&
        Math.abs((depth / width) * 100 - Number(stone.depth_percentage)) < 0.051 &&
        stone.ratio_group === ratioGroupOf(stone.shape, Number(stone.ratio))
      )
    })
    expect(wrong.slice(0, 3)).toEqual([])
  })

  it('of round shape has a depth of crown, girdle and pavilion together', async () => {
    const [{ worst }] = await ask(sql<{ worst: number }>`
      select max(abs(depth_percentage - (100 - table_percentage) / 2 * tand(crown_angle)
        - 50 * tand(pavilion_angle) - 3.6))::float8 as worst
      from gem where product_type = 'diamond' and shape = 'round'`)
    // The girdle varies by 1.2 percent, and millimetres are rounded.
    expect(worst).toBeLessThan(1.8)
  })

  it('costs less, on average, with each lower grade', async () => {
    for (const type of ['mined', 'lab grown']) {
      const averages = async (column: 'color' | 'clarity') =>
        ask(sql<{ grade: string; price: number; count: number }>`
          select ${sql.ref(column)} as grade, count(*), avg(cost / weight)::float8 as price from gem
          where product_type = 'diamond' and type = ${type} and not is_fancy
          group by 1 having count(*) >= 250`)
      for (const [column, scale] of [
        ['color', COLORS],
        ['clarity', CLARITIES],
      ] as const) {
        const rows = await averages(column)
        const rank = ({ grade }: { grade: string }) => (scale as readonly string[]).indexOf(grade)
        rows.sort((a, b) => rank(a) - rank(b))
        expect(rows.length).toBeGreaterThanOrEqual(5)
        const prices = rows.map(({ price }) => price)
        // A few heavy stones may swap adjacent grades, but not grades two apart.
        for (let index = 2; index < prices.length; index++) {
          expect([rows[index].grade, prices[index] < prices[index - 2]]).toEqual([
            rows[index].grade,
            true,
          ])
        }
      }
    }
  })

  it('costs about a tenth when it is lab grown', async () => {
    const [{ ratio }] = await ask(sql<{ ratio: number }>`
      with alike as (
        select shape, color, clarity, floor(weight * 5) as size,
          avg(cost / weight) filter (where type = 'mined') as mined,
          avg(cost / weight) filter (where type = 'lab grown') as grown
        from gem where product_type = 'diamond' and not is_fancy group by 1, 2, 3, 4
      )
      select avg(grown / mined)::float8 as ratio from alike
      where grown is not null and mined is not null`)
    expectNear(ratio, 0.1, 0.02)
  })

  it('often has the same price as others, so that ties are tested', async () => {
    const [{ tied }] = await ask(sql<{ tied: number }>`
      select sum(count)::int as tied from (
        select count(*) from gem where product_type = 'diamond' group by wholesale_price
        having count(*) > 1
      ) as prices`)
    expect(tied).toBeGreaterThan(5000)
  })

  it("is priced with its supplier's markups, to the cent", async () => {
    const stones = await ask(sql<Record<string, string>>`
      select gem.cost, wholesale_price, wholesale_price_us, markup, markup_us
      from gem join supplier on supplier.id = supplier_id where not is_manual`)
    const wrong = stones.filter(
      ({ cost, wholesale_price, wholesale_price_us, markup, markup_us }) =>
        wholesaleCents(centsFrom(cost), markupFactor(markup)) !== centsFrom(wholesale_price) ||
        wholesaleCents(centsFrom(cost), markupFactor(markup_us)) !== centsFrom(wholesale_price_us),
    )
    expect(wrong.slice(0, 3)).toEqual([])
  })

  it('lists a few stones at two suppliers, and contradicts itself about two of them', async () => {
    const listed = await ask(sql<{ suppliers: number; clarities: number }>`
      select count(distinct supplier_id) as suppliers, count(distinct clarity) as clarities
      from gem where certificate is not null group by certificate having count(*) > 1`)
    expect(listed).toHaveLength(30)
    expect(listed.every(({ suppliers }) => suppliers === 2)).toBe(true)
    expect(listed.filter(({ clarities }) => clarities > 1)).toHaveLength(2)
    expect((await listConflicts(database.current.db, { limit: 10, offset: 0 })).total).toBe(2)
  })

  it('has what an operator set by hand, and rows in quarantine that can be put on sale', async () => {
    const { db } = database.current
    const byHand = await ask(sql<{ overrides: object; note: string | null; state: string }>`
      select overrides, note, state from gem where is_manual order by id`)
    expect(byHand).toHaveLength(7)
    expect(byHand.filter(({ state }) => state === 'disabled')).toMatchObject([
      { overrides: { enabled: false }, note: expect.stringContaining('Chip') },
    ])
    expect(byHand.filter(({ overrides }) => 'wholesale_price' in overrides)).toHaveLength(2)
    const { rows, total } = await listQuarantine(db, { limit: 10, offset: 0 })
    expect([total, rows[0].reason]).toEqual([3, expect.stringContaining('12 times higher')])
    const { sku } = await decideQuarantined(database.current, rows[0].uuid, 'released')
    const [stone] = await ask(sql<{ state: string; vendor_sku: string; cost: string }>`
      select state, vendor_sku, cost from gem where sku = ${sku}`)
    expect(stone).toEqual({
      state: 'available',
      vendor_sku: rows[0].vendor_sku,
      cost: rows[0].value,
    })
    const [{ uuid }] = await ask(sql<{ uuid: string }>`
      select import_uuid as uuid from import_rejection where vendor_sku = ${rows[0].vendor_sku}`)
    await undoImport(database.current, uuid)
    expect(await ask(sql`select from gem where sku = ${sku}`)).toEqual([])
  })

  it('has a unique SKU and a certificate number in the format of its laboratory', async () => {
    const stones = await ask(sql<{ sku: string; cert_num: string | null; form: string | null }>`
      select sku, cert_num, lab || ' ' || type as form from gem where product_type = 'diamond'`)
    expect(stones.filter(({ sku }) => !SKU_PATTERN.test(sku))).toEqual([])
    const certificates = stones.flatMap(({ cert_num }) => cert_num ?? [])
    // Thirty stones are listed twice.
    expect(new Set(certificates).size).toBe(certificates.length - 30)
    const formOf: Record<string, RegExp> = { 'GIA mined': /^2\d{9}$/, 'IGI lab grown': /^LG\d{9}$/ }
    const odd = stones.filter(({ form, cert_num }) => {
      const pattern = formOf[form ?? '']
      return pattern && !pattern.test(cert_num ?? '')
    })
    expect(odd).toEqual([])
  })

  it('of a matched pair is as similar to the other as specified', async () => {
    const pairs = await ask(sql<Record<string, number | boolean>>`
      select b.pair_vendor_sku = a.vendor_sku as mutual,
        a.shape = b.shape and a.type = b.type and a.color = b.color and a.clarity = b.clarity
          as same, abs(a.weight / b.weight - 1)::float8 as weight,
        greatest(abs(a.length / b.length - 1), abs(a.width / b.width - 1))::float8 as size
      from gem a join gem b on b.supplier_id = a.supplier_id and b.vendor_sku = a.pair_vendor_sku`)
    expect(pairs.length).toBeGreaterThan(200)
    expect(pairs.filter(({ mutual, same }) => !(mutual && same))).toEqual([])
    expect(Math.max(...pairs.map(({ weight }) => Number(weight)))).toBeLessThan(0.04)
    expect(Math.max(...pairs.map(({ size }) => Number(size)))).toBeLessThan(0.02)
  })

  it('links to media below the public address, with names that can be drawn', async () => {
    const links = await ask(sql<{ shape: string; color: string; url: string }>`
      select distinct shape, color, image_top_url as url from gem where image_top_url is not null`)
    const wrong = links.filter(({ shape, color, url }) => {
      const name = /^http:\/\/pavilion\.test\/media\/demo\/top\/(.+)\.svg$/.exec(url)?.[1] ?? ''
      const picture = findDemoPicture(name)
      return picture?.shape !== shape || picture.color !== color
    })
    expect(wrong.slice(0, 3)).toEqual([])
    expect(findDemoPicture('../../etc')).toBeUndefined()
    expect(findDemoPicture('blob-100-D')).toBeUndefined()
  })
})

describe('a demo parcel', () => {
  it('of larger stones has a higher weight per piece', async () => {
    const parcels = await ask(sql<{ length: number; weight: number; quantity: number }>`
      select length::float8, weight::float8, quantity from gem
      where product_type = 'melee' and shape = 'round' order by length`)
    expect(parcels[0].weight).toBeLessThan(0.005)
    expect(parcels.at(-1)?.weight).toBeLessThan(0.2)
    for (let index = 1; index < parcels.length; index++) {
      expect(parcels[index].weight).toBeGreaterThanOrEqual(parcels[index - 1].weight)
    }
  })
})

describe('the price sheets of the demo market', () => {
  it('are in force, and give a list price to mined stones whose supplier quotes none', async () => {
    const sheets = await listGrids(database.current.db)
    expect(sheets).toMatchObject([
      { shape: 'BR', in_force: true, applied_on: expect.any(String) },
      { shape: 'PS', in_force: true, applied_on: expect.any(String) },
    ])
    expectNear(await share(sql`list_price_from_grid`, sql`type = 'mined'`), 0.33, 0.08)
    // Loading a sheet would compute the prices that the stones have already.
    expect(await refreshGridPrices(database.current.db)).toBe(0)
  })
})

it('has a merchant that pays other prices than its list', async () => {
  const merchants = await database.current.db.selectFrom('merchant').selectAll().execute()
  const adjusted = merchants.filter(({ price_adjustment }) => price_adjustment !== null)
  expect(adjusted).toMatchObject([{ country_code: 'BE', price_adjustment: { lab_percent: -4 } }])
})
