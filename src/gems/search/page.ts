import type { Found } from '../../index/index.ts'
import { BASE_CURRENCY } from '../../pricing/exchange-rates.ts'
import type { PriceRules } from '../../pricing/price-rules.ts'
import { priceStone } from '../../pricing/prices.ts'
import { NO_TEMPLATE, type Terms } from '../gem-rendering.ts'
import { columnOfPrice } from './prices.ts'
import type { RenderedStones } from './rendered-stones.ts'

/**
 * A page of gems as one Buffer: `head`, a JSON array of the gems, `tail`. Of each gem the bytes of
 * the stone are copied, and what the caller's terms make of it, which the index knows, is written
 * behind them. No object per stone, no serialiser.
 */
export function renderPage(
  found: readonly Found[],
  rules: PriceRules,
  stones: RenderedStones,
  head: string,
  tail: string,
): Buffer | Promise<Buffer> {
  // Read at once, before anything is awaited: the rows may be others afterwards.
  const write = termsWriter(rules)
  const terms = found.map((row) => write(termsOf(row, rules)))
  const bytes = stones.bytesOf(found.map(({ id }) => id))
  return bytes instanceof Promise
    ? bytes.then((known) => joinPage(known, terms, head, tail))
    : joinPage(bytes, terms, head, tail)
}

/** A stone's prices and hold, from the columns of the index. */
export function termsOf({ view, row }: Found, rules: PriceRules): Terms {
  const { numbers, codes } = view
  const price = numbers[columnOfPrice(rules, 'wholesale')]
  const { weight } = numbers
  const offRap = numbers[columnOfPrice(rules, 'off_list')]
  const type = codes.type.codes[row] === MINED ? 'mined' : 'lab grown'
  const priced = priceStone(
    rules,
    type,
    weight.values[row] + weight.base,
    price.values[row] + price.base,
  ) as Terms
  priced.off_rap = offRap.values[row] === offRap.none ? null : offRap.values[row] + offRap.base
  priced.on_hold = codes.on_hold?.codes[row] === HELD
  return priced
}

/** The code of 'mined', and of 't' in a flag. */
const MINED = 1
const HELD = 2

const TEMPLATE_TAIL = JSON.stringify(NO_TEMPLATE).slice(1)

/** Writes `,"base_currency_code":…,"merchant_template_uuid":null}`: what renderTerms renders. */
export function termsWriter(rules: PriceRules): (terms: Terms) => string {
  const currency = JSON.stringify(rules.currency_code)
  const first =
    `,"base_currency_code":"${BASE_CURRENCY}","currency_code":${currency},` +
    `"exchange_rate":${rules.exchange_rate},"base_retail_price":`
  return (terms) =>
    `${first}${amount(terms.base_retail_price)}` +
    `,"base_wholesale_price":${amount(terms.base_wholesale_price)}` +
    `,"retail_price":${amount(terms.retail_price)}` +
    `,"wholesale_price":${amount(terms.wholesale_price)}` +
    `,"off_rap_percentage":${terms.off_rap === null ? 'null' : amount(terms.off_rap)}` +
    `,"on_hold":${terms.on_hold},${TEMPLATE_TAIL}`
}

/** Cents as JSON writes the amount: 123450 is 1234.5. Quicker than printing a double. */
function amount(cents: number): string {
  const size = Math.abs(cents)
  const rest = size % 100
  const whole = `${cents < 0 ? '-' : ''}${(size - rest) / 100}`
  if (rest === 0) return whole
  if (rest % 10 === 0) return `${whole}.${rest / 10}`
  return rest < 10 ? `${whole}.0${rest}` : `${whole}.${rest}`
}

function joinPage(
  stones: readonly (Buffer | undefined)[],
  terms: readonly string[],
  head: string,
  tail: string,
): Buffer {
  // Only the stones may hold characters of more than one byte, and they are bytes already.
  let length = head.length + tail.length + 2
  for (let i = 0; i < stones.length; i++) length += (stones[i]?.length ?? 0) + terms[i].length + 1
  const page = Buffer.allocUnsafeSlow(length)
  // All terms are written at once and copied from there: fifty writes cost more than fifty copies.
  const written = scratchOf(terms)
  let at = page.write(`${head}[`, 0, 'latin1')
  const first = at
  let read = 0
  for (let i = 0; i < stones.length; i++) {
    const stone = stones[i]
    const from = read
    read += terms[i].length
    // A stone that was deleted between the search and the reading.
    if (!stone) continue
    if (at > first) page[at++] = COMMA
    page.set(stone, at)
    at += stone.length
    at += written.copy(page, at, from, read)
  }
  at += page.write(`]${tail}`, at, 'latin1')
  return page.subarray(0, at)
}

let scratch = Buffer.allocUnsafeSlow(64 * 1024)

function scratchOf(terms: readonly string[]): Buffer {
  const text = terms.join('')
  if (scratch.length < text.length) scratch = Buffer.allocUnsafeSlow(2 * text.length)
  scratch.write(text, 0, 'latin1')
  return scratch
}

const COMMA = 0x2c
