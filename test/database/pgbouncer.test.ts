import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { sharesSessions } from '../../src/database/pooler.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { addStone, type OrderMarket, openOrderMarket } from '../orders/order-support.ts'
import { runPavilion } from '../support/command-line.ts'
import { hasPgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { indexed } from '../support/stocked.ts'

/** Debian's pgbouncer is needed; .ci/run installs it. */
describe.skipIf(!hasPgbouncer)('a market behind pgbouncer in transaction mode', () => {
  let pgbouncer: Awaited<ReturnType<typeof startPgbouncer>>
  let market: OrderMarket

  beforeAll(async () => {
    pgbouncer = await startPgbouncer(inject('postgres').url)
    const reach = async (url: string) => {
      const database = openDatabase({ url, poolMax: 1 })
      // A time zone that timestamps must not be printed in.
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
        database.db,
      )
      await database.pool.query(`alter database ${rows[0].name} set timezone = 'Asia/Kolkata'`)
      await database.close()
      return pgbouncer.urlOf(url)
    }
    market = await openOrderMarket({}, { reach, isPooled: true })
    await indexed(market)
  })
  afterAll(async () => {
    await market.close()
    await pgbouncer.close()
  })

  it('takes orders, and the next search knows of them', async () => {
    const skus = await Promise.all(Array.from({ length: 6 }, () => addStone(market.database.db)))
    const search = async () => {
      const body = { filters: { sku: skus } }
      const path = '/api/v3/diamonds/merchant_search'
      return (await market.call('POST', path, { token: market.buyer.key, body })).body.total
    }
    await market.app.services.catchUp()
    expect(await search()).toBe(6)
    const placed = await Promise.all(skus.map((sku) => market.place([sku])))
    expect(placed.map(({ status }) => status)).toEqual(skus.map(() => 200))
    expect(await search()).toBe(0)
  })

  it('hears of a revocation', async () => {
    const { uuid, token } = await market.token({ merchant_uuid: market.buyer.merchant.uuid })
    const status = async () =>
      (await market.call('GET', '/api/v3/defaults/gem_attributes', { token })).status
    expect(await status()).toBe(200)
    await market.call('DELETE', `/api/operator/tokens/${uuid}`, { token: market.adminKey })
    await expect.poll(status, { timeout: 30_000 }).toBe(401)
  })

  it('imports without leaving settings behind, and without needing those of a connection', async () => {
    const imported = await market.app.inject({
      method: 'POST',
      url: '/api/operator/imports?supplier=Pooled&mode=update',
      headers: { authorization: `Bearer ${market.adminKey}`, 'content-type': 'text/csv' },
      payload:
        'Stock #,Shape,Weight,Color,Clarity,Total Price,Lab,Report #\nP-1,Round,1.01,F,VS1,4000,GIA,123456789\n',
    })
    expect(imported.json()).toMatchObject({ added: 1 })
    const { db } = market.database
    const found = await Promise.all(
      Array.from({ length: 10 }, () =>
        inTransaction(db, async (tx) => {
          const { rows } = await sql<Record<string, string>>`
            select current_setting('statement_timeout') as statement,
              current_setting('idle_in_transaction_session_timeout') as idle,
              current_setting('timezone') as zone,
              (select count(*)::int from pg_settings where name = 'synchronous_commit'
                and setting is distinct from reset_val) as changed`.execute(tx)
          return rows[0]
        }),
      ),
    )
    const expected = { statement: '15s', idle: '1min', zone: 'UTC', changed: 0 }
    expect(found).toEqual(found.map(() => expected))
    const { rows } = await sql<{
      zone: string
    }>`select current_setting('timezone') as zone`.execute(db)
    expect(rows[0].zone).toBe('UTC')
  })

  it('runs statements that have a name in any session', async () => {
    const { pool } = market.database
    const named = () => pool.query({ name: 'one', text: 'select $1::int as n', values: [1] })
    for (let round = 0; round < 3; round++) {
      const results = await Promise.all(Array.from({ length: 8 }, named))
      expect(results.every(({ rows }) => rows[0].n === 1)).toBe(true)
    }
  })

  it('is told from PostgreSQL itself while others use the pooler', async () => {
    const { url, directUrl, pool } = market.database
    let isOver = false
    const useOften = async () => {
      while (!isOver) await pool.query('select pg_sleep(random() * 0.003)')
    }
    const others = Promise.all(Array.from({ length: 3 }, useOften))
    const found: boolean[] = []
    for (let round = 0; round < 20; round++) {
      found.push(await sharesSessions(url), await sharesSessions(directUrl))
    }
    isOver = true
    await others
    expect(found).toEqual(found.map((_, at) => at % 2 === 0))
  })

  it('is not started without the address of PostgreSQL itself', async () => {
    const { url, directUrl } = market.database
    expect([await sharesSessions(url), await sharesSessions(directUrl)]).toEqual([true, false])
    const { code, stderr } = await runPavilion(['start'], { DATABASE_URL: url, PORT: '0' })
    expect([code, stderr]).toEqual([
      1,
      'DATABASE_URL leads to a pooler in transaction mode; ' +
        'set DATABASE_DIRECT_URL to the address of PostgreSQL itself.\n',
    ])
  })
})
