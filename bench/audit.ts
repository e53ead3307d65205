import { sql } from 'kysely'
import { type BenchMarket, openBenchMarket, percentile } from './orders/market.ts'
import { withBenchDatabase } from './support/database.ts'

/**
 * The audit with many entries: each filter alone, of the operator and of a merchant. Prints p50 and
 * p99.
 *
 *     npx tsx bench/audit.ts [entries] [calls]
 */
const ENTRIES = Number(process.argv[2] ?? 1_000_000)
const CALLS = Number(process.argv[3] ?? 40)
const MERCHANTS = 500
const DAYS = 730

await withBenchDatabase(async (url) => {
  const market = await openBenchMarket(url)
  await fill(market)
  const { key, adminKey } = market
  const actor = await oneOf(market, 'actor_uuid')
  const subject = await oneOf(market, 'subject_id')
  const reads: [name: string, key: string, path: string][] = [
    ['newest', adminKey, '/api/operator/audit'],
    ['actor', adminKey, `/api/operator/audit?actor=${actor}`],
    ['command line', adminKey, '/api/operator/audit?actor=command_line'],
    ['subject', adminKey, `/api/operator/audit?subject=${subject}`],
    ['common action', adminKey, '/api/operator/audit?action=hold.create'],
    ['rare action', adminKey, '/api/operator/audit?action=settings.change'],
    ['actions of a noun', adminKey, '/api/operator/audit?action=order.*'],
    ['rare noun', adminKey, '/api/operator/audit?action=settings.*'],
    ['a period', adminKey, '/api/operator/audit?from=2026-01-01&to=2026-01-02'],
    ['merchant', key, '/api/v3/audit'],
    ['merchant, action', key, '/api/v3/audit?action=order.create'],
    ['merchant, rare action', key, '/api/v3/audit?action=settings.change'],
    ['merchant, period', key, '/api/v3/audit?from=2026-01-01&to=2026-02-01'],
  ]
  console.log(`${ENTRIES} entries of ${MERCHANTS} merchants`)
  for (const [name, token, path] of reads) await measure(market, name, token, path)
  await market.app.close()
  await market.database.close()
})

async function measure(market: BenchMarket, name: string, key: string, path: string) {
  const times: number[] = []
  for (let call = 0; call < CALLS; call++) {
    const startMs = performance.now()
    const { statusCode, body } = await market.app.inject({
      url: path,
      headers: { authorization: `Bearer ${key}` },
    })
    if (statusCode !== 200) throw new Error(body)
    times.push(performance.now() - startMs)
  }
  const shown = [0.5, 0.99].map((part) => percentile(times, part).toFixed(1).padStart(7))
  console.log(`${name.padEnd(24)} p50 ${shown[0]} ms  p99 ${shown[1]} ms`)
}

async function oneOf(market: BenchMarket, column: 'actor_uuid' | 'subject_id') {
  const { rows } = await sql<{ value: string }>`
    select ${sql.ref(column)} as value from audit_entry
    where actor_uuid is not null order by id offset ${ENTRIES / 2} limit 1`.execute(
    market.database.db,
  )
  return rows[0].value
}

/** Five entries of each subject; one entry in ten of the bench's own merchant, few of the shell. */
async function fill({ database: { db } }: BenchMarket): Promise<void> {
  await sql`
    insert into audit_entry (at, actor_kind, actor_uuid, actor_name, actor_side, merchant_uuid,
      action, subject_kind, subject_id, before, after, request_id, ip)
    select market_now() - make_interval(secs => ${DAYS * 86_400} * (1 - n::float8 / ${ENTRIES})),
      case when n % 1000 = 0 then 'command_line' else 'token' end,
      case when n % 1000 <> 0 then md5('actor' || n % (${MERCHANTS} * 3))::uuid end,
      'key', case when n % 1000 = 0 then 'operator' else 'merchant' end,
      case when n % 10 = 0 then (select uuid from merchant order by created_on limit 1)
        else md5('merchant' || n % ${MERCHANTS})::uuid end,
      case when n % 10000 = 0 then 'settings.change'
        else (array['hold.create', 'hold.release', 'order.create', 'order.pay', 'quote.create'])
          [1 + n % 5] end,
      'order', md5('subject' || n / 5), '{"order_status": null}', '{"order_status": "cancelled"}',
      'request-' || n, '203.0.113.7'
    from generate_series(1, ${ENTRIES}::int) as n`.execute(db)
  await sql`analyze audit_entry`.execute(db)
}
