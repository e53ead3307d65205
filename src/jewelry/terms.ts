/**
 * Texts as small numbers. Rows keep the numbers of their words and attribute values; a query marks
 * the numbers it looks for in a byte per term, and a row is tested by looking its numbers up there.
 */
export interface Terms {
  readonly size: number
  /** The number of a text, given out when it is met first. */
  idOf(text: string): number
  find(text: string): number | undefined
  textOf(id: number): string
  /** One byte per term: 1 where the text starts with `beginning`. */
  startingWith(beginning: string): Uint8Array
}

export function createTerms(): Terms {
  const ids = new Map<string, number>()
  const texts: string[] = []
  // Ids in the order of their texts; new ones are sorted in when somebody looks.
  let sorted: number[] = []

  function sortNew(): void {
    if (sorted.length === texts.length) return
    for (let id = sorted.length; id < texts.length; id++) sorted.push(id)
    // Nearly sorted already, which the engine's merge sort makes use of.
    sorted = sorted.sort((a, b) => (texts[a] < texts[b] ? -1 : 1))
  }

  /** The first place in `sorted` whose text is not below `text`. */
  function placeOf(text: string): number {
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
    get size() {
      return texts.length
    },
    idOf(text) {
      const known = ids.get(text)
      if (known !== undefined) return known
      ids.set(text, texts.length)
      return texts.push(text) - 1
    },
    find: (text) => ids.get(text),
    textOf: (id) => texts[id],
    startingWith(beginning) {
      sortNew()
      const marks = new Uint8Array(texts.length)
      for (let place = placeOf(beginning); place < sorted.length; place++) {
        const id = sorted[place]
        if (!texts[id].startsWith(beginning)) break
        marks[id] = 1
      }
      return marks
    },
  }
}
