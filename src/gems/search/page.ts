import assert from 'node:assert/strict'
import {
  type CodeView,
  codeAt,
  type Found,
  idAt,
  type NumberView,
  type View,
} from '../../index/index.ts'
import { BASE_CURRENCY } from '../../pricing/exchange-rates.ts'
import type { PriceRules } from '../../pricing/price-rules.ts'
import { offRapHundredths, priceStone } from '../../pricing/prices.ts'
import { NO_TEMPLATE, type Terms } from '../gem-rendering.ts'
import { LIST_PRICE, MINED_CODE, TRUE_CODE } from '../indexing/columns.ts'
import { columnOfPrice } from './prices.ts'

/**
 * A page of search results, ready to be joined with the bytes of its stones. `terms` has for each
 * stone the JSON that is written behind its bytes.
 */
export interface PricedPage {
  readonly ids: readonly number[]
  readonly terms: readonly string[]
}

/**
 * Prices the rows of a page. The rows are read here and not later, because a row of the index may
 * hold another stone after the next change.
 */
export function pricePage(found: readonly Found[], rules: PriceRules): PricedPage {
  const read = termsReader(rules)
  const write = termsWriter(rules)
  return {
    ids: found.map(({ id }) => id),
    terms: found.map((row) => write(read(row))),
  }
}

/** A stone's prices and hold, from the columns of the index. */
export function termsOf(found: Found, rules: PriceRules): Terms {
  return termsReader(rules)(found)
}

/** `termsOf` for many stones: the columns are looked up once in each part of the index. */
function termsReader(rules: PriceRules): (found: Found) => Terms {
  let read: View | undefined
  let columns: TermsColumns
  return ({ id, view, row }) => {
    if (idAt(view, row) !== id) throw new Error('the row of the index holds another stone by now')
    if (view !== read) columns = columnsOf(view, rules)
    read = view
    const { price, weight, type, offList, listPrice, onHold } = columns
    const priced = priceStone(
      rules,
      codeAt(type, row) === MINED_CODE ? 'mined' : 'lab grown',
      weight.values[row] + weight.base,
      price.values[row] + price.base,
    ) as Terms
    priced.off_rap =
      rules.adjustment === null
        ? numberAt(offList, row)
        : offRapHundredths(priced.base_wholesale_price, numberAt(listPrice, row))
    priced.on_hold = onHold !== undefined && codeAt(onHold, row) === TRUE_CODE
    return priced
  }
}

interface TermsColumns {
  price: NumberView
  weight: NumberView
  offList: NumberView
  listPrice: NumberView
  type: CodeView
  onHold: CodeView | undefined
}

function columnsOf({ numbers, codes }: View, rules: PriceRules): TermsColumns {
  return {
    price: numbers[columnOfPrice(rules, 'wholesale')],
    weight: numbers.weight,
    offList: numbers[columnOfPrice(rules, 'off_list')],
    listPrice: numbers[LIST_PRICE],
    type: codes.type,
    onHold: codes.on_hold,
  }
}

function numberAt({ values, base, none }: NumberView, row: number): number | null {
  return values[row] === none ? null : values[row] + base
}

const TEMPLATE_TAIL = JSON.stringify(NO_TEMPLATE).slice(1)

/**
 * Writes `,"base_currency_code":…,"merchant_template_uuid":null}`: what renderTerms renders. It has
 * ASCII characters only, so that its length is also its number of bytes.
 */
export function termsWriter(rules: PriceRules): (terms: Terms) => string {
  assert(/^[A-Z]{3}$/.test(rules.currency_code), 'a currency code is three letters')
  const first =
    `,"base_currency_code":"${BASE_CURRENCY}","currency_code":"${rules.currency_code}",` +
    `"exchange_rate":${rules.exchange_rate},"base_retail_price":`
  return (terms) =>
    `${first}${amount(terms.base_retail_price)}` +
    `,"base_wholesale_price":${amount(terms.base_wholesale_price)}` +
    `,"retail_price":${amount(terms.retail_price)}` +
    `,"wholesale_price":${amount(terms.wholesale_price)}` +
    `,"off_rap_percentage":${terms.off_rap === null ? 'null' : amount(terms.off_rap)}` +
    `,"on_hold":${terms.on_hold},${TEMPLATE_TAIL}`
}

/** Cents as JSON writes the amount: 123450 is 1234.5. Faster than printing a double. */
function amount(cents: number): string {
  const size = Math.abs(cents)
  const rest = size % 100
  const whole = `${cents < 0 ? '-' : ''}${(size - rest) / 100}`
  if (rest === 0) return whole
  if (rest % 10 === 0) return `${whole}.${rest / 10}`
  return rest < 10 ? `${whole}.0${rest}` : `${whole}.${rest}`
}

const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/**
 * A page as one Buffer: `head`, a JSON array of the gems, `tail`. The bytes of each stone are
 * copied and its terms are written behind them: no object per stone, no serialiser. A stone that
 * was deleted between the search and the reading of its bytes (undefined) is left out.
 */
export function joinPage(
  { terms }: PricedPage,
  stones: readonly (Buffer | undefined)[],
  head: Uint8Array,
  tail: Uint8Array,
): Buffer {
  const allTerms = terms.join('')
  let length = head.length + allTerms.length + tail.length + 2
  for (const stone of stones) length += (stone?.length ?? 0) + 1
  const page = Buffer.allocUnsafeSlow(length)
  // All terms are written at once, at the end of the buffer, and moved from there to behind their
  // stones: fifty writes cost more than fifty copies. The page has space for everything, so what
  // is written in front never overwrites terms that have not been moved yet.
  let unmoved = length - allTerms.length
  page.write(allTerms, unmoved, 'latin1')
  page.set(head)
  let at = head.length
  page[at++] = OPEN_BRACKET
  const first = at
  for (let i = 0; i < stones.length; i++) {
    const from = unmoved
    unmoved += terms[i].length
    const stone = stones[i]
    if (!stone) continue
    if (at > first) page[at++] = COMMA
    page.set(stone, at)
    at += stone.length
    at += page.copy(page, at, from, unmoved)
  }
  page[at++] = CLOSE_BRACKET
  page.set(tail, at)
  return page.subarray(0, at + tail.length)
}

/** `joinPage` with some fields of each stone only, in the order in which stones have them. */
export function joinFields(
  { terms }: PricedPage,
  stones: readonly (Buffer | undefined)[],
  fields: readonly string[],
  head: Uint8Array,
  tail: Uint8Array,
): Buffer {
  const isWanted = new Set(fields)
  const gems = stones.flatMap((stone, i) => {
    if (!stone) return []
    const gem: Record<string, unknown> = JSON.parse(stone.toString() + terms[i])
    return [
      JSON.stringify(
        Object.fromEntries(Object.entries(gem).filter(([name]) => isWanted.has(name))),
      ),
    ]
  })
  return Buffer.concat([head, Buffer.from(`[${gems.join(',')}]`), tail])
}
