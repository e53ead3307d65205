import type { OperatorQuote } from '../../api/operator/quotes.ts'

export type QuoteLine = OperatorQuote['line_items'][number]

/** The sum at the prices of the market when the quote was made, in its currency. */
export function listTotal({ line_items }: OperatorQuote): number {
  return sumOf(line_items, ({ market_price }) => market_price)
}

/** The sum as the merchant asked for it; lines without an offer at the price of the market. */
export function askedTotal({ line_items }: OperatorQuote): number {
  return sumOf(line_items, ({ offer_price, market_price }) => offer_price ?? market_price)
}

export function sumOf(lines: readonly QuoteLine[], price: (line: QuoteLine) => number): number {
  const sum = lines.reduce((total, line) => total + price(line) * line.quantity, 0)
  return Math.round(sum * 100) / 100
}
