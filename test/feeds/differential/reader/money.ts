/** Rounds half up in decimal digits. */
export function round(value: number, decimals: number): number {
  const shifted = Number(`${value.toPrecision(14)}e${decimals}`)
  return Number(`${Math.round(shifted)}e-${decimals}`)
}
