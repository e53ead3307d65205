/**
 * The number that somebody typed, by the decimal mark of a locale; NaN when it is none. In English
 * `1,500` is fifteen hundred, in German `1.500`. A mark that cannot separate thousands where it
 * stands is a decimal mark in every locale, so that `0,92` and `0.92` are the same.
 */
export function readNumber(text: string, decimal: string): number {
  const plain = text.replaceAll(/[\s'’_]/g, '')
  if (!/^[+-]?[\d.,]*\d[.,]?$/.test(plain)) return Number.NaN
  const marks = plain.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  if (last === undefined) return Number(plain)
  const isMixed = marks.some((mark) => mark !== last)
  const isGrouped = /^[+-]?[1-9]\d{0,2}([.,]\d{3})+$/.test(plain)
  // Two different marks: the last one is the decimal mark, whatever the locale says.
  const isDecimal = isMixed ? true : last === decimal ? marks.length === 1 : !isGrouped
  if (!isDecimal) return isGrouped ? Number(plain.replaceAll(last, '')) : Number.NaN
  const at = plain.lastIndexOf(last)
  const whole = plain.slice(0, at)
  if (whole.includes(last)) return Number.NaN
  return Number(`${whole.replaceAll(/[.,]/g, '')}.${plain.slice(at + 1)}`)
}
