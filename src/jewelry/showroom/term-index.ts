/**
 * Which rows have which texts. Rows are numbers from 0. A query marks the rows of the terms it
 * looks for in a byte per row, which costs as much as there are such rows and no more.
 */
export interface TermIndex {
  /** Puts a row under these texts, in place of those it had. */
  place(row: number, texts: Iterable<string>): void
  /** The number of a text that some row has or had. */
  find(text: string): number | undefined
  /** The numbers of the texts that start so. */
  startingWith(beginning: string): number[]
  rowsOf(term: number): readonly number[]
  /** Every text that some row has, with the number of its term. */
  entries(): Iterable<[text: string, term: number]>
}

export function createTermIndex(): TermIndex {
  const terms = new Map<string, number>()
  const texts: string[] = []
  const rowsOfTerm: number[][] = []
  const termsOfRow: number[][] = []
  // Terms in the order of their texts; new ones are sorted in when somebody looks.
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
    // Nearly sorted already, which the engine's merge sort makes use of.
    sorted.sort((a, b) => (texts[a] < texts[b] ? -1 : 1))
  }

  /** The first place in `sorted` whose text is not below this one. */
  function placeInOrder(text: string): number {
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
    place(row, newTexts) {
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
    startingWith(beginning) {
      sortNew()
      const found: number[] = []
      for (let place = placeInOrder(beginning); place < sorted.length; place++) {
        if (!texts[sorted[place]].startsWith(beginning)) break
        found.push(sorted[place])
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
