import { StringDecoder } from 'node:string_decoder'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { centsFrom } from '../lib/money.ts'
import type { GemType } from '../reference/attributes.ts'
import { NO_TEMPLATE, renderTerms } from './gem-rendering.ts'
import { offRapHundredths, type PriceRules, priceStone, WEIGHT_DECIMALS } from './prices.ts'
import { snapshotFields } from './snapshot-fields.ts'

/** Which stones are in a merchant's copy of the market. */
const VISIBLE = `product_type = 'diamond' and state = 'available' and quantity > 0`

/** Lines of JSON, and how many. */
export interface SnapshotLines {
  lines: string
  count: number
}

/**
 * The visible diamonds as lines of JSON, some at a time, by a streaming COPY. It reads no faster
 * than the lines are taken.
 */
export async function* readVisible(
  client: pg.Client,
  rules: PriceRules,
  publicUrl: string,
): AsyncGenerator<SnapshotLines> {
  const { select, line } = lineWriter(rules, publicUrl)
  const query = copyTo(`copy (select ${select} from gem where ${VISIBLE}) to stdout`)
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of client.query(query)) {
    const rows = (rest + decoder.write(chunk as Buffer)).split('\n')
    rest = rows.pop() ?? ''
    let lines = ''
    for (const row of rows) lines += line(row)
    if (rows.length > 0) yield { lines, count: rows.length }
  }
}

const NULL = '\\N'

/** Decides once per snapshot what is selected and how a row of COPY's text becomes a line. */
function lineWriter(rules: PriceRules, publicUrl: string) {
  const select: string[] = []
  // Each field with what stands before its value, and where its value is printed (-1: nowhere).
  const fields = Object.entries(snapshotFields(publicUrl)).map(([name, { sql, json }], place) => ({
    head: `${place === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    at: sql === undefined ? -1 : select.push(sql) - 1,
    json,
  }))
  const price = rules.list === 'us' ? 'wholesale_price_us' : 'wholesale_price'
  const first = select.push(price, 'list_price', 'weight', 'type', 'hold_uuid') - 5
  const template = JSON.stringify(NO_TEMPLATE).slice(1)
  function line(row: string): string {
    const printed = row.split('\t')
    let text = ''
    for (const { head, at, json } of fields) {
      const value = at < 0 ? '' : printed[at]
      text += value === NULL ? `${head}null` : head + json(value)
    }
    const terms = JSON.stringify(termsFrom(printed.slice(first), rules)).slice(1, -1)
    return `${text},${terms},${template}\n`
  }
  return { select: select.join(', '), line }
}

/** See change-feed.ts for why the lease is taken as it is written. */
function termsFrom([price, listPrice, weight, type, hold]: string[], rules: PriceRules) {
  const base = centsFrom(price)
  const scaled = Math.round(Number(weight) * 10 ** WEIGHT_DECIMALS)
  const prices = priceStone(rules, type as GemType, scaled, base)
  const off_rap = offRapHundredths(base, listPrice === NULL ? null : centsFrom(listPrice))
  return renderTerms({ ...prices, off_rap, on_hold: hold !== NULL }, rules)
}
