/** Returns the known name that a mistyped one most likely means, or undefined. */
export function findNearestName(typed: string, known: readonly string[]): string | undefined {
  const wanted = fold(typed)
  let best: string | undefined
  let bestDistance = allowedErrors(wanted.length) + 1
  for (const name of known) {
    const distance = editDistance(wanted, fold(name), bestDistance)
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

/** Any two codes of two letters are near each other; a long word may have several errors. */
function allowedErrors(length: number): number {
  if (length <= 2) return 0
  return length <= 4 ? 1 : Math.max(2, Math.ceil(length / 3))
}

function fold(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 64)
}

/** The Levenshtein distance; `limit` as soon as it cannot be less than `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const change = previous[column - 1] + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(change, previous[column] + 1, current[column - 1] + 1))
    }
    if (Math.min(...current) >= limit) return limit
    previous = current
  }
  return previous[b.length]
}
