/** Choices of a soak. They need not be repeatable: the answers decide what is called next. */
export function pick<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)]
}

export function between(low: number, high: number): number {
  return low + Math.random() * (high - low)
}

/** One of the names, as often as its share says. */
export function pickByShare(shares: Record<string, number>): string {
  const total = Object.values(shares).reduce((sum, share) => sum + share, 0)
  let rest = Math.random() * total
  for (const [name, share] of Object.entries(shares)) {
    rest -= share
    if (rest < 0) return name
  }
  return Object.keys(shares)[0]
}
