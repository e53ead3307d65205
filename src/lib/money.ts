/**
 * Money is whole cents in a JavaScript integer, or digits in a `numeric` column; it is never a
 * binary fraction. Only these functions convert between cents, digits and JSON numbers.
 */

/** Cents from the digits of a numeric(_, 2) column: `'1234.5'` is 123450. */
export function centsFrom(digits: string): number {
  const [whole, fraction = ''] = digits.split('.')
  const cents = Number(whole.replace('-', '') + fraction.padEnd(2, '0').slice(0, 2))
  return digits.startsWith('-') ? -cents : cents
}

/** The JSON number for an amount in cents: 123450 is 1234.5, without a float artefact. */
export function amountFrom(cents: number): number {
  // Division by 100 is correctly rounded, so the result is the double nearest to the decimal.
  return cents / 100
}

/** The digits for SQL: 123450 is `'1234.50'`. */
export function digitsFrom(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Rounds numerator / denominator half up (away from zero for negatives), exactly. This is the only
 * rounding rule of Pavilion; BigInt because price x percent x rate exceeds 53 bits.
 */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  const doubled = (numerator < 0n ? -numerator : numerator) * 2n
  const rounded = (doubled + denominator) / (denominator * 2n)
  return numerator < 0n ? -rounded : rounded
}

/** The JSON number, rounded to cents, for digits with up to four decimals, as melee has. */
export function roundedAmount(digits: string): number {
  return amountFrom(Number(divideHalfUp(scaledFrom(digits, 4), 100n)))
}

/** Digits scaled to an integer: `scaledFrom('0.755', 4)` is 7550n. More decimals are an error. */
export function scaledFrom(digits: string, decimals: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d*[1-9])?0*)?$/.exec(digits)
  if (!match || (match[3] ?? '').length > decimals) {
    throw new RangeError(`${digits} has more than ${decimals} decimals or is not a number`)
  }
  return BigInt(match[1] + match[2] + (match[3] ?? '').padEnd(decimals, '0'))
}
