import { readStones } from '../feed-support.ts'
import { RATES } from './cells.ts'
import { expectedStone, type GeneratedFile } from './files.ts'
import { readByTheRules } from './reader/read.ts'
import { fileBytes, fileText } from './writing.ts'

/** What became of the stones of a file. */
export interface Comparison {
  sellable: number
  sold: number
  /** The file stops with a question about its prices. */
  isAsked: boolean
  /** Values that differ, one line each. */
  differences: string[]
  /** Sellable stones that were refused, with the reason. */
  refused: string[]
}

export const RATE_TEXTS = Object.fromEntries(
  Object.entries(RATES).map(([currency, rate]) => [currency, String(rate)]),
)

/** What is compared of a stone. */
export type StoneValues = Record<string, string | number | boolean | null>

/** A list price may be computed from a price and a discount that were rounded. */
const LIST_TOLERANCE = 0.02

/** Whether a stone has the value that it should have. */
export function isSame(field: string, one: unknown, other: unknown): boolean {
  if (field === 'list_price' && typeof other === 'number')
    return one !== null && Math.abs(Number(one) / other - 1) < LIST_TOLERANCE
  return typeof one === 'number' && typeof other === 'number'
    ? Math.abs(one - other) < 1e-9
    : (one ?? null) === (other ?? null)
}

/** Compares what is true, what the second reader says and what Pavilion would sell. */
export async function compareReaders(file: GeneratedFile): Promise<Comparison> {
  const bytes = fileBytes(file)
  // The second reader does not know the old format of Excel, and reads the rows as text.
  const isOld = file.layout.packing === 'xls'
  const second = readByTheRules(isOld ? fileText(file) : bytes, RATES)
  const ours = await readStones(bytes, { rates: RATE_TEXTS })
  const isAsked = ours.mapping.price?.basis === 'unsure'
  const drafts = new Map(ours.drafts.map((draft) => [draft.vendor_sku, draft]))
  const result: Comparison = { sellable: 0, sold: 0, isAsked, differences: [], refused: [] }
  for (const stone of file.stones) {
    const truth = expectedStone(file, stone)
    const draft = drafts.get(stone.stock) as StoneValues | undefined
    const read = second.stones.get(stone.stock)
    const say = (text: string) => result.differences.push(`${file.dialect} ${stone.stock}: ${text}`)
    if (truth === null) {
      if (draft) say(`Pavilion sells it, but it is ${stone.not}`)
      if (read) say(`the second reader sells it, but it is ${stone.not}`)
      continue
    }
    result.sellable++
    if (!read) say(`the second reader refuses it: ${second.refused.get(stone.stock)}`)
    if (draft && !isAsked) result.sold++
    for (const [field, value] of Object.entries(truth)) {
      if (draft && !isAsked && !isSame(field, draft[field], value))
        say(
          `${field} is ${value}, Pavilion has ${draft[field]}, the second reader ${read?.[field]}`,
        )
      const isOpen = field === 'list_price' || (field === 'cost' && second.isUnsure)
      if (read && !isOpen && !isSame(field, read[field], value))
        say(`${field} is ${value}, the second reader has ${read[field]}`)
    }
  }
  const isLost = file.stones.some(({ not, stock }) => not === null && !drafts.has(stock))
  if (isLost)
    for (const { column, value, reason } of ours.rejections)
      result.refused.push(`${file.dialect}: ${column} "${value}": ${reason}`)
  return result
}
