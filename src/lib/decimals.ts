/**
 * Numbers of a request as scaled integers. A JSON number is taken by its shortest decimal digits,
 * as the caller wrote it: 1.005 x 1000 as floats would be 1004.9999999999999.
 */

/** Returns the least integer n with n / 10^decimals >= value. */
export function scaleUp(value: number, decimals: number): number {
  const { whole, exact } = scale(value, decimals)
  return exact || value < 0 ? whole : whole + 1
}

/** Returns the greatest integer n with n / 10^decimals <= value. */
export function scaleDown(value: number, decimals: number): number {
  const { whole, exact } = scale(value, decimals)
  return exact || value > 0 ? whole : whole - 1
}

/** value x 10^decimals truncated towards zero, and whether that is exact. */
function scale(value: number, decimals: number): { whole: number; exact: boolean } {
  const rounded = Math.round(value * 10 ** decimals)
  // Of up to 15 digits every decimal is a number of its own, so that this one has these digits.
  if (Math.abs(rounded) < 1e15 && rounded / 10 ** decimals === value) {
    return { whole: rounded + 0, exact: true }
  }
  const [mantissa, exponent = '0'] = String(Math.abs(value)).split('e')
  const [integer, fraction = ''] = mantissa.split('.')
  const digits = integer + fraction
  const shift = Number(exponent) + decimals - fraction.length
  const sign = value < 0 ? -1 : 1
  if (shift >= 0) return { whole: sign * Number(`${digits}e${shift}`), exact: true }
  const kept = digits.slice(0, Math.max(0, digits.length + shift))
  const cut = digits.slice(Math.max(0, digits.length + shift))
  return { whole: sign * Number(kept || '0') + 0, exact: /^0*$/.test(cut) }
}
