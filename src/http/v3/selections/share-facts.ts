import type { Static } from 'typebox'
import { countryIn } from '../../../reference/countries.ts'
import type { StoneStatus } from '../../../saved-searches/selections/chosen-stones.ts'
import type { StoneSchema } from '../../schemas/inventory.ts'
import { type PageTexts, valueIn } from './share-texts.ts'

/** A stone as a customer sees it: what publishable keys may not see is not in it. */
export interface SharedStone {
  sku: string
  status: StoneStatus
  stone: Static<typeof StoneSchema>
  /** Which links lead to a picture, a video or a document that the page can show. */
  views: { bottom: boolean; video: boolean; certificate: boolean }
}

type Stone = SharedStone['stone']

/** `1.02 ct round F VS1`; of a gemstone `1.50 ct blue sapphire oval`. */
export function nameOf(stone: Stone, texts: PageTexts): string {
  const shape = valueIn(texts, stone.shape)
  const parts =
    stone.product_type === 'gemstone'
      ? [colorOf(stone, texts), stone.species ? valueIn(texts, stone.species) : texts.stone, shape]
      : [shape, colorOf(stone, texts), stone.clarity]
  return [caratsOf(stone, texts), ...parts].filter(Boolean).join(' ')
}

export function priceOf({ retail_price, currency_code }: Stone, { locale }: PageTexts): string {
  const options = { style: 'currency', currency: currency_code } as const
  return new Intl.NumberFormat(locale, options).format(retail_price)
}

export function dateOf(ms: number, { locale }: PageTexts): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(ms)
}

/**
 * The facts of all stones under the same labels, so that they can be compared line by line. What no
 * stone has is left out.
 */
export function factsOf(
  shared: readonly SharedStone[],
  texts: PageTexts,
): { label: string; values: (string | null)[] }[] {
  return FACTS.map(([name, read]) => ({
    label: texts[name],
    values: shared.map(({ stone }) => read(stone, texts)),
  })).filter(({ values }) => values.some((value) => value !== null))
}

type ReadFact = (stone: Stone, texts: PageTexts) => string | null

const FACTS: readonly (readonly [keyof PageTexts, ReadFact])[] = [
  ['shape', ({ shape }, texts) => sentence(valueIn(texts, shape))],
  ['weight', caratsOf],
  ['color', (stone, texts) => sentence(colorOf(stone, texts))],
  ['clarity', ({ clarity }) => clarity],
  ['cut', ({ cut_grade }, texts) => wordsOf(cut_grade, texts)],
  ['polish', ({ polish_grade }, texts) => wordsOf(polish_grade, texts)],
  ['symmetry', ({ symmetry_grade }, texts) => wordsOf(symmetry_grade, texts)],
  ['fluorescence', ({ fluorescence }, texts) => wordsOf(fluorescence, texts)],
  ['type', typeOf],
  ['origin', ({ origin }, { locale }) => (origin ? (countryIn(locale, origin) ?? origin) : null)],
  ['treatment', ({ treatment }, texts) => wordsOf(treatment, texts)],
  ['measurements', measurementsOf],
  ['ratio', ({ ratio }, texts) => (ratio === null ? null : decimal(ratio, texts, 2))],
  ['table', ({ table_percentage }, texts) => percent(table_percentage, texts)],
  ['depth', ({ depth_percentage }, texts) => percent(depth_percentage, texts)],
  ['certificate', ({ lab, cert_num }) => [lab, cert_num].filter(Boolean).join(' ') || null],
  ['number', ({ sku }) => sku],
]

function caratsOf({ weight }: Stone, { locale }: PageTexts): string {
  const options = { minimumFractionDigits: 2, maximumFractionDigits: weight < 0.1 ? 4 : 2 }
  return `${new Intl.NumberFormat(locale, options).format(weight)} ct`
}

function colorOf(stone: Stone, texts: PageTexts): string | null {
  const { color, is_fancy, fancy_color_intensity: intensity, overtone, product_type } = stone
  if (color === null) return null
  if (product_type === 'gemstone') return valueIn(texts, color)
  if (!is_fancy) return color
  const words = [intensity ?? 'FAN', overtone, color].filter((word) => word !== null)
  return words.map((word) => valueIn(texts, word)).join(' ')
}

/** Natural or grown, which a customer asks first. */
function typeOf({ type, grow_method }: Stone, texts: PageTexts): string {
  const word = sentence(valueIn(texts, type)) ?? ''
  return grow_method ? `${word} (${grow_method})` : word
}

function measurementsOf({ length, width, depth }: Stone, texts: PageTexts): string | null {
  if (length === null || width === null || depth === null) return null
  return `${[length, width, depth].map((size) => decimal(size, texts, 2)).join(' × ')} mm`
}

function wordsOf(value: string | null | undefined, texts: PageTexts): string | null {
  return value ? sentence(valueIn(texts, value)) : null
}

function sentence(text: string | null): string | null {
  return text === null ? null : text.charAt(0).toUpperCase() + text.slice(1)
}

function decimal(value: number, { locale }: PageTexts, digits: number): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)
}

function percent(value: number | null, texts: PageTexts): string | null {
  return value === null ? null : `${decimal(value, texts, 1)} %`
}
