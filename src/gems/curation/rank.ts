/** Ranks are compared place by place; the lower one is preferred. */
export function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [place, value] of a.entries()) {
    if (value !== b[place]) return value - b[place]
  }
  return 0
}
