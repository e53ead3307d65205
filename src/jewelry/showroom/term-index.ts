/**
 * An index from texts to the rows that have them. Rows are numbers from 0. A query marks the rows
 * of its terms in one byte per row, which costs only as much as there are such rows.
 */
export interface TermIndex {
  /** Replaces the texts of a row. */
  setRow(row: number, texts: Iterable<string>): void
  /** Returns the term number of a text that a row has or had. */
  find(text: string): number | undefined
  /** Returns the term numbers of the texts with this prefix. */
  startingWith(prefix: string): number[]
  rowsOf(term: number): readonly number[]
  /** Returns every text with its term number. */
  entries(): Iterable<[text: string, term: number]>
}

export function createTermIndex(): TermIndex {
  const terms = new Map<string, number>()
  const texts: string[] = []
  const rowsOfTerm: number[][] = []
  const termsOfRow: number[][] = []
  // Term numbers in the order of their texts; new ones are sorted in before the next search.
  const sorted: number[] = []

  function termOf(text: string): number {
    const known = terms.get(text)
    if (known !== undefined) return known
    terms.set(text, texts.length)
    rowsOfTerm.push([])
    return texts.push(text) - 1
  }

  function sortNew(): void {
    if (sorted.length === texts.length) return
    for (let term = sorted.length; term < texts.length; term++) sorted.push(term)
    // The list is nearly sorted already, which the engine's merge sort makes use of.
    sorted.sort((a, b) => (texts[a] < texts[b] ? -1 : 1))
  }

  /** Returns the first position in `sorted` whose text is not below this one. */
  function positionOf(text: string): number {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (texts[sorted[middle]] < text) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    setRow(row, newTexts) {
      const old = termsOfRow[row] ?? []
      const now = Array.from(newTexts, termOf)
      termsOfRow[row] = now
      for (const term of old) {
        if (now.includes(term)) continue
        const rows = rowsOfTerm[term]
        rows.splice(rows.indexOf(row), 1)
      }
      for (const term of now) if (!old.includes(term)) rowsOfTerm[term].push(row)
    },
    find: (text) => terms.get(text),
    startingWith(prefix) {
      sortNew()
      const found: number[] = []
      for (let at = positionOf(prefix); at < sorted.length; at++) {
        if (!texts[sorted[at]].startsWith(prefix)) break
        found.push(sorted[at])
      }
      return found
    },
    rowsOf: (term) => rowsOfTerm[term],
    entries: () => terms.entries(),
  }
}

/** Marks with 1 every row that has one of the terms. */
export function markRows(index: TermIndex, terms: Iterable<number>, marks: Uint8Array): void {
  for (const term of terms) for (const row of index.rowsOf(term)) marks[row] = 1
}
