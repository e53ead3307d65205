import type pg from 'pg'
import { IS_TREATED, ON_SALE } from '../../src/gems/gem-life.ts'
import { leadsIn, WITH_OFFERS } from '../../src/gems/offer-store.ts'
import type { SearchRequest } from '../../src/gems/search/plan.ts'
import type { PriceRules } from '../../src/pricing/price-rules.ts'
import { COLORS } from '../../src/reference/attributes.ts'

/** What US merchants can find, in a table of its own: of each stone the leading offer. */
export const MARKET_TABLE = 'bench_gem'

const MARKET = `create table ${MARKET_TABLE} as select gem.* from ${WITH_OFFERS}
  where product_type = 'diamond' and ${ON_SALE} and ${leadsIn('us')}
    and not is_fancy and not ${IS_TREATED}`

/** The indexes that help most. None is per merchant, because there are thousands of merchants. */
const INDEXES = [
  `create index on ${MARKET_TABLE} (shape, type, weight, color, clarity)`,
  `create index on ${MARKET_TABLE} (wholesale_price_us, id)`,
  `create index on ${MARKET_TABLE} (weight)`,
  `create index on ${MARKET_TABLE} (cert_num)`,
]

export async function preparePostgres(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(MARKET)
    for (const index of INDEXES) await client.query(index)
    await client.query(`vacuum analyze ${MARKET_TABLE}`)
  } finally {
    client.release(true)
  }
}

/** The merchant's retail price, rounded as the API rounds it. */
function retailSql(rules: PriceRules): string {
  const ratio = ({ top, bottom }: { top: number; bottom: number }) => `${top}::numeric / ${bottom}`
  const branches = rules.tiers.toReversed().map(({ from, mined, lab }, i, all) => {
    const value = `case type when 'mined' then ${ratio(mined.retail)} else ${ratio(lab.retail)} end`
    const condition =
      rules.mode === 'weight' ? `weight >= ${from / 10_000}` : `wholesale_price_us >= ${from / 100}`
    return i === all.length - 1 ? `else ${value}` : `when ${condition} then ${value}`
  })
  return `round(wholesale_price_us * (case ${branches.join(' ')} end), 2)`
}

/** The page and the exact count of a request in SQL. Supports only the filters of the bench. */
export function searchSql(
  request: SearchRequest,
  rules: PriceRules,
): { page: string; count: string } {
  const retail = retailSql(rules)
  const conditions = ['true']
  for (const [key, wanted] of Object.entries(request.filters ?? {})) {
    const column = key.replace(/_(min|max)$/, '')
    const expression = column === 'retail_price' ? retail : column
    if (Array.isArray(wanted)) {
      conditions.push(`${column} in (${wanted.map((value) => `'${value}'`).join(', ')})`)
    } else if (key === 'has_media') {
      conditions.push(
        `coalesce(image_top_url, image_bottom_url, video_url, ux_url, v360_json_base_url,
          v360_info::text) is not null`,
      )
    } else {
      conditions.push(`${expression} ${key.endsWith('_min') ? '>=' : '<='} ${String(wanted)}`)
    }
  }
  const where = conditions.join(' and ')
  const sort =
    request.sort_col === 'retail_price'
      ? retail
      : `array_position(array[${COLORS.map((color) => `'${color}'`).join(',')}], color)`
  return {
    page: `select *, ${retail} as retail_price from ${MARKET_TABLE} where ${where}
      order by ${sort} ${request.sort_order}, id limit ${request.limit} offset ${request.offset}`,
    count: `select count(*)::int as count from ${MARKET_TABLE} where ${where}`,
  }
}
