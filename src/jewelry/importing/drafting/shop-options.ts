import type { VariantOptions } from '../../../database/tables/jewelry.ts'
import { type JewelryField, meaningOf, OPTION_FIELDS } from '../columns.ts'
import type { Texts } from './row-texts.ts'

/** Options that are attributes as well: `Metal` of a shop's variant is its metal. */
const ATTRIBUTES = new Set<string | undefined>([
  ...(['metal', 'karat', 'size', 'length', 'stone', 'stone_shape', 'style'] as const),
  ...(['collection', 'condition', 'movement', 'strap', 'dial'] as const),
] satisfies JewelryField[])

const VALUE_CHARS_MAX = 200

/**
 * Reads the options that a shop names in pairs of columns, and fills in the attributes that they
 * are. Returns undefined where the row has none, or is a piece without variants, whose pairs are
 * attributes only. A shop writes the option `Title` of a product without a choice.
 */
export function takeOptions(texts: Texts): VariantOptions | undefined {
  const options: [string, string][] = []
  for (const [nameField, valueField] of OPTION_FIELDS) {
    const [name, value] = [texts[nameField], texts[valueField]]
    if (name === undefined || value === undefined || value === 'Default Title') continue
    options.push([name, value.slice(0, VALUE_CHARS_MAX)])
    const meaning = meaningOf(name)
    if (ATTRIBUTES.has(meaning)) texts[meaning as JewelryField] ??= value
  }
  const isSimple = /^simple\b/i.test(texts.row_type ?? '')
  return options.length === 0 || isSimple ? undefined : Object.fromEntries(options)
}
