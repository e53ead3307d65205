import {
  type MappingFields,
  type OwnMapping,
  readMappingFile,
} from '../../feeds/mapping/mapping-file.ts'
import { readAvailability } from '../../feeds/values/availability.ts'
import { readCountry } from '../../feeds/values/country.ts'
import { readCurrency } from '../../feeds/values/currency.ts'
import { readNumber } from '../../feeds/values/numbers.ts'
import { JEWELRY_FIELDS, type JewelryField } from './columns.ts'
import { readPublished, readYesNo } from './drafting/read-values.ts'

const isNumber = (text: string) => readNumber(text, { decimalComma: false }) !== undefined

/** Fields that cannot have every text. */
const FITS = new Map<string, (text: string) => boolean>([
  ['availability', (text) => readAvailability(text) !== undefined],
  ['published', (text) => readPublished(text) !== undefined],
  ['returnable', (text) => readYesNo(text) !== undefined],
  ['gift_card', (text) => readYesNo(text) !== undefined],
  ['country', (text) => readCountry(text) !== undefined],
  ['currency', (text) => readCurrency(text) !== undefined],
  ['price', isNumber],
  ['sale_price', isNumber],
  ['retail_price', isNumber],
  ['quantity', isNumber],
  ['delivery_days_max', isNumber],
  ['row_type', (text) => /^(simple|variable|variation|grouped|external)$/i.test(text)],
] satisfies [JewelryField, (text: string) => boolean][])

const VALUES = new Map<string, readonly string[]>([
  ['availability', ['in stock', 'out of stock', 'on memo', 'sold']],
  ['published', ['yes', 'no']],
  ['sold', ['yes', 'no']],
  ['returnable', ['yes', 'no']],
  ['gift_card', ['yes', 'no']],
  ['row_type', ['simple', 'variable', 'variation']],
] satisfies [JewelryField, readonly string[]][])

/** The fields of jewelry, as a mapping may name them. */
export const JEWELRY_MAPPING: MappingFields = {
  names: JEWELRY_FIELDS,
  unique: new Set<JewelryField>(['vendor_sku', 'parent_vendor_sku', 'product_id']),
  hasValue: (field, value) => FITS.get(field)?.(value) ?? true,
  valuesOf: (field) => VALUES.get(field) ?? [],
}

/** Fields whose words a mapping can translate. */
export function isWordField(field: string): boolean {
  return VALUES.has(field) || field === 'country' || field === 'currency'
}

/** Reads a mapping for a file of jewelry, or refuses it with all its faults. */
export function readJewelryMapping(json: unknown): OwnMapping {
  return readMappingFile(json, JEWELRY_MAPPING)
}
