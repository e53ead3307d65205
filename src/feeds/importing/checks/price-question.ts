/** The question what a price column holds, when the file alone cannot answer it. */
import { Refusal } from '../../../lib/refusal.ts'
import type { FeedMapping, PriceMeaning } from '../../mapping/mapping.ts'
import { setPriceMeaning } from '../../mapping/prices/price-columns.ts'
import type { FileReading } from '../file-reading.ts'
import { refuseUnsure } from './unsure.ts'

interface SettledPrice {
  /** What the operator says with this import. */
  option: PriceMeaning | undefined
  /** What was understood of the supplier's last file. */
  learned: FileReading | undefined
}

/**
 * Gives the price column the meaning that the operator or the supplier's last file settled; refuses
 * with both readings side by side when nothing settles it. What this file proves about itself stays
 * as it is: a contradiction to the last file is refused later, with all other differences.
 */
export function settlePriceMeaning(mapping: FeedMapping, { option, learned }: SettledPrice): void {
  const { price } = mapping
  if (price === undefined) return
  const { column } = mapping.columns[price.at]
  if (option !== undefined && price.basis === 'mapping' && price.meaning !== option) {
    const detail =
      `The mapping says that ${JSON.stringify(column)} holds ${MEANING[price.meaning]}, and ` +
      `--price says ${MEANING[option]}. Change one of them; nothing was changed.`
    throw new Refusal('invalid_request', detail)
  }
  if (option !== undefined) {
    setPriceMeaning(mapping, option, 'the operator said so')
    return
  }
  const isKnown = learned !== undefined && Object.hasOwn(learned.columns, column)
  const isOwn = ['proof', 'values', 'mapping'].includes(price.basis)
  if (isKnown && learned.price !== null && !isOwn) {
    setPriceMeaning(mapping, learned.price, "as in the supplier's last file")
    return
  }
  if (price.basis === 'unsure') askPriceMeaning(mapping, column)
}

const MEANING: Record<PriceMeaning, string> = {
  total: 'prices of whole stones',
  'per carat': 'prices per carat',
}

/** Asks which of two price columns counts when they contradict each other. */
export function checkRivalPrices({ columns, rival }: FeedMapping): void {
  if (rival === undefined) return
  const [kept, other] = [columns[rival.at], columns[rival.otherAt]]
  const [name, otherName] = [kept.column, other.column].map((column) => JSON.stringify(column))
  const mapping = (fields: object) => `--mapping with ${JSON.stringify(fields)}`
  refuseUnsure({
    about: 'price',
    question:
      `The price may be in the column ${name} or in ${otherName}, ` + `which ${rival.difference}.`,
    readings: [
      {
        option: mapping({ [kept.column]: kept.field, [other.column]: null }),
        meaning: `the price is in ${name}`,
      },
      {
        option: mapping({ [kept.column]: 'list_price', [other.column]: 'total_price' }),
        meaning: `the price of a stone is in ${otherName}`,
      },
    ],
    examples: [],
  })
}

function askPriceMeaning({ price }: FeedMapping, column: string): never {
  const examples = (price?.examples ?? []).map(
    ({ weight, price: value }) => `${weight} ct: ${amount(value * weight)} or ${amount(value)}?`,
  )
  refuseUnsure({
    about: 'price',
    question: `The column ${JSON.stringify(column)} may hold prices per carat or of whole stones.`,
    readings: [
      { option: '--price per-carat', meaning: 'the first amount of each pair' },
      { option: '--price total', meaning: 'the second' },
    ],
    examples,
  })
}

function amount(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 2 : 0 })
}
