export interface WantedLine {
  sku: string
  quantity: number
}

/**
 * SKUs as somebody pastes them: one a line, or separated by spaces, commas or semicolons. A small
 * number after a SKU on its line, as in `MELEE-1 25` or `MELEE-1 x 25`, is its quantity. A SKU that
 * is named twice is wanted twice, which the check refuses for a single stone.
 */
export function readSkus(text: string): WantedLine[] {
  const wanted = new Map<string, number>()
  for (const line of text.split(/[\n\r,;]+/)) {
    let last: string | undefined
    for (const word of line.trim().split(/\s+/)) {
      const quantity = /^[x×]?(\d{1,4})$/i.exec(word)?.[1]
      if (word === '' || /^[x×]$/i.test(word)) continue
      if (quantity !== undefined && last !== undefined) {
        wanted.set(last, (wanted.get(last) ?? 1) - 1 + Number(quantity))
        last = undefined
      } else {
        last = word
        wanted.set(last, (wanted.get(last) ?? 0) + 1)
      }
    }
  }
  return [...wanted].map(([sku, quantity]) => ({ sku, quantity }))
}
