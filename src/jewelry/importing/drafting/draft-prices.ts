import { currencyOfHeader, currencyOfPrice } from '../../../feeds/values/currency.ts'
import { mayBeThousands, readNumber } from '../../../feeds/values/numbers.ts'
import { saysNothing } from '../../../feeds/values/spelling.ts'
import { markupFactor, wholesaleCents } from '../../../gems/supplier.ts'
import { digitsFrom } from '../../../lib/money.ts'
import { usdCentsFrom } from '../../price-conversion.ts'
import type { FileRow } from '../reading/kept-rows.ts'
import type { DraftSettings } from './draft-settings.ts'
import type { JewelryNotes } from './jewelry-notes.ts'
import { columnWith, required, type Texts, Unsaleable } from './row-texts.ts'

/** Shops write a zero where nothing is struck through. */
export function hasRetail({ retail_price: text }: Texts): boolean {
  if (text === undefined || saysNothing(text)) return false
  return /[1-9]/.test(text) || !text.includes('0')
}

const CENTS_MAX = 1e11

type PriceField = 'price' | 'sale_price' | 'retail_price'

export function draftPrices(texts: Texts, cells: FileRow['cells'], settings: DraftSettings) {
  const { supplier } = settings
  const priced = (field: PriceField, text: string, usual: string) => {
    const column = columnWith(cells, settings.meanings, field)
    const currency = currencyOf(texts, { field, text, column, usual })
    return { currency, cents: centsOf(field, text, rateOf(texts, currency, settings), settings) }
  }
  const field = priceField(texts, settings.notes)
  const text = field === 'price' ? required(texts, 'price', 50) : (texts[field] ?? '')
  const { cents: cost, currency } = priced(field, text, settings.currency)
  const wholesale = wholesaleCents(cost, markupFactor(supplier.markup))
  // Without a retail price it is the trade's usual one, twice the wholesale price.
  const retail = hasRetail(texts)
    ? priced('retail_price', texts.retail_price ?? '', currency).cents
    : wholesale * 2
  return {
    cost: digitsFrom(cost),
    wholesale_price: digitsFrom(wholesale),
    wholesale_price_us: digitsFrom(wholesaleCents(cost, markupFactor(supplier.markup_us))),
    retail_price: digitsFrom(retail),
  }
}

interface WrittenPrice {
  field: PriceField
  text: string
  column: string | undefined
  /** The currency of a price that names none. */
  usual: string
}

function currencyOf(texts: Texts, { field, text, column, usual }: WrittenPrice): string {
  const listed = texts.currency ?? ''
  const header = column === undefined ? undefined : currencyOfHeader(column)
  const currency = currencyOfPrice({ price: text, listed, header, usual })
  if (typeof currency === 'string') return currency
  const isPrice = currency.at === 'price'
  throw new Unsaleable(isPrice ? field : 'currency', isPrice ? text : listed, currency.reason)
}

function rateOf(texts: Texts, currency: string, { rates }: DraftSettings): string {
  const rate = rates.get(currency)
  if (rate !== undefined) return rate
  const reason = `There is no exchange rate for ${currency}`
  if (texts.currency !== undefined) throw new Unsaleable('currency', texts.currency, reason)
  throw new Unsaleable('price', texts.price ?? '', reason)
}

function centsOf(field: PriceField, text: string, rate: string, settings: DraftSettings): number {
  const { style, hasDecimalPrices } = settings
  if (mayBeThousands(text, style, hasDecimalPrices)) {
    throw new Unsaleable(field, text, 'The point of the price may group thousands')
  }
  const amount = readNumber(text, style)
  const cents = amount === undefined ? 0 : usdCentsFrom(amount, rate)
  if (cents <= 0) throw new Unsaleable(field, text, 'The price is not a number above zero')
  if (cents > CENTS_MAX) throw new Unsaleable(field, text, 'The price is out of range')
  return cents
}

/** A sale without an end is the price; one for some days is not. */
function priceField(texts: Texts, notes: JewelryNotes): 'price' | 'sale_price' {
  const { sale_price: sale, sale_start, sale_end } = texts
  if (sale === undefined) return 'price'
  if (sale_start === undefined && sale_end === undefined) return 'sale_price'
  notes.count('sale_price', sale)
  return 'price'
}
