/** What an import reports besides pieces and rejections. */
export interface JewelryNotes {
  count(what: keyof typeof SENTENCES, text: string): void
  /** One sentence for each kind of remark. */
  sentences(): string[]
}

const SENTENCES = {
  jewelry_type: 'is not a type of jewelry that we know; it is listed as it is written',
  availability: 'is an availability that we do not know; the piece is not on offer',
  country: 'is a place that we do not know, and is left out',
  image: 'is not the address of a picture, and is left out',
  sale_price: 'is the price of a sale for some days; the regular price is used',
} as const

const TEXTS_MAX = 20
const TEXT_CHARS_MAX = 60

export function createJewelryNotes(): JewelryNotes {
  const counts = new Map<string, { what: keyof typeof SENTENCES; text: string; count: number }>()
  const more = new Map<keyof typeof SENTENCES, number>()
  return {
    count(what, text) {
      const key = `${what}\n${text}`
      const known = counts.get(key)
      if (known) known.count++
      else if ([...counts.values()].filter((each) => each.what === what).length >= TEXTS_MAX) {
        more.set(what, (more.get(what) ?? 0) + 1)
      } else counts.set(key, { what, text: text.slice(0, TEXT_CHARS_MAX), count: 1 })
    },
    sentences() {
      const listed = [...counts.values()].map(
        ({ what, text, count }) => `${JSON.stringify(text)} ${SENTENCES[what]} (${rows(count)}).`,
      )
      const others = [...more].map(
        ([what, count]) => `Another value ${SENTENCES[what]} (${rows(count)} with such values).`,
      )
      return [...listed, ...others]
    },
  }
}

function rows(count: number): string {
  return count === 1 ? 'one row' : `${count} rows`
}
