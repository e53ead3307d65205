import type { Found } from '../index/index.ts'
import { NO_TEMPLATE, renderTerms, type Terms } from './gem-rendering.ts'
import { type PriceRules, priceStone } from './prices.ts'
import { columnOfPrice } from './search-prices.ts'
import type { RenderedStones } from './search-stones.ts'

/**
 * The gems of a page as one JSON array in one Buffer: the bytes of each stone, then what the
 * caller's terms make of it, which the index knows. No object per stone, no serialiser.
 */
export function renderGems(
  found: readonly Found[],
  rules: PriceRules,
  stones: RenderedStones,
): Buffer | Promise<Buffer> {
  // Read at once, before anything is awaited: the rows may be others afterwards.
  const terms = found.map((row) => renderTail(row, rules))
  const bytes = stones.bytesOf(found.map(({ id }) => id))
  return bytes instanceof Promise
    ? bytes.then((stone) => joinGems(stone, terms))
    : joinGems(bytes, terms)
}

const TEMPLATE_TAIL = JSON.stringify(NO_TEMPLATE).slice(1)

/** `,"base_currency_code":…,"merchant_template_uuid":null}` */
function renderTail(found: Found, rules: PriceRules): string {
  const terms = JSON.stringify(renderTerms(termsOf(found, rules), rules)).slice(1, -1)
  return `,${terms},${TEMPLATE_TAIL}`
}

/** A stone's prices and hold, from the columns of the index. */
export function termsOf({ view, row }: Found, rules: PriceRules): Terms {
  const number = (column: string) => {
    const { values, base, none } = view.numbers[column]
    return values[row] === none ? null : values[row] + base
  }
  const cents = number(columnOfPrice(rules, 'wholesale')) ?? 0
  const type = view.codes.type.codes[row] === 1 ? 'mined' : 'lab grown'
  return {
    ...priceStone(rules, type, number('weight') ?? 0, cents),
    off_rap: number(columnOfPrice(rules, 'off_list')),
    on_hold: view.codes.on_hold?.codes[row] === HELD,
  }
}

/** The code of 't' in a flag. */
const HELD = 2

function joinGems(stones: readonly (Buffer | undefined)[], tails: readonly string[]): Buffer {
  let length = 2
  for (let i = 0; i < stones.length; i++) {
    length += (stones[i]?.length ?? 0) + tails[i].length + 1
  }
  const page = Buffer.allocUnsafe(length)
  let at = page.write('[', 0, 'latin1')
  for (let i = 0; i < stones.length; i++) {
    const stone = stones[i]
    // A stone that was deleted between the search and the reading.
    if (!stone) continue
    if (at > 1) at += page.write(',', at, 'latin1')
    at += stone.copy(page, at)
    // Numbers, a currency code and names: plain ASCII.
    at += page.write(tails[i], at, 'latin1')
  }
  at += page.write(']', at, 'latin1')
  return page.subarray(0, at)
}
