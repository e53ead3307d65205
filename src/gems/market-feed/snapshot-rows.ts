import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { centsFrom } from '../../lib/money.ts'
import { listColumn } from '../../pricing/price-list.ts'
import { type PriceRules, WEIGHT_DECIMALS } from '../../pricing/price-rules.ts'
import { offRapHundredths, priceStone } from '../../pricing/prices.ts'
import type { GemType } from '../../reference/attributes.ts'
import type { Terms } from '../gem-rendering.ts'
import { termsWriter } from '../search/page.ts'
import { stoneExpression } from './snapshot-fields.ts'

/** Which stones are in a merchant's copy of the market. */
const VISIBLE = `product_type = 'diamond' and state = 'available' and quantity > 0`

/** Lines of JSON, and how many. */
export interface SnapshotLines {
  lines: Buffer
  count: number
}

/**
 * The visible diamonds as lines of JSON, some at a time, by a streaming COPY. It reads no faster
 * than the lines are taken. What PostgreSQL wrote stays bytes: only the caller's terms are text.
 */
export async function* readVisible(
  client: pg.Client,
  rules: PriceRules,
  publicUrl: string,
): AsyncGenerator<SnapshotLines> {
  const { select, linesOf } = lineWriter(rules, publicUrl)
  const query = copyTo(`copy (select ${select} from gem where ${VISIBLE}) to stdout`)
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of client.query(query)) {
    const read = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer])
    const end = read.lastIndexOf(LINE_END) + 1
    rest = read.subarray(end)
    if (end > 0) yield linesOf(read.subarray(0, end))
  }
}

const LINE_END = 0x0a
const BRACE = 0x7b
const BACKSLASH = 0x5c

/** Decides once per snapshot what is selected and how rows of COPY's text become lines. */
function lineWriter(rules: PriceRules, publicUrl: string) {
  const price = listColumn('wholesale_price', rules.list)
  const terms = [price, `coalesce(list_price::text, '')`, 'weight', 'type', 'hold_uuid is not null']
  const write = termsWriter(rules)
  function linesOf(rows: Buffer): SnapshotLines {
    const parts: Buffer[] = []
    let count = 0
    for (let start = 0; start < rows.length; count++) {
      const end = rows.indexOf(LINE_END, start)
      const brace = rows.indexOf(BRACE, start)
      const printed = rows.toString('latin1', start, brace).split('\t')
      const ownTerms = `${write(termsFrom(printed, rules))}\n`
      parts.push(unescaped(rows.subarray(brace, end)), Buffer.from(ownTerms, 'latin1'))
      start = end + 1
    }
    return { lines: Buffer.concat(parts), count }
  }
  return { select: [...terms, stoneExpression(publicUrl)].join(', '), linesOf }
}

/** COPY writes a backslash twice; control characters JSON has escaped before. */
function unescaped(bytes: Buffer): Buffer {
  if (!bytes.includes(BACKSLASH)) return bytes
  return Buffer.from(bytes.toString().replaceAll('\\\\', '\\'))
}

/** See change-feed.ts for why the lease is taken as it is written. */
function termsFrom(printed: string[], rules: PriceRules): Terms {
  const [price, listPrice, weight, type, isHeld] = printed
  const base = centsFrom(price)
  const scaled = Math.round(Number(weight) * 10 ** WEIGHT_DECIMALS)
  const prices = priceStone(rules, type as GemType, scaled, base)
  const off_rap = offRapHundredths(base, listPrice === '' ? null : centsFrom(listPrice))
  return { ...prices, off_rap, on_hold: isHeld === 't' }
}
