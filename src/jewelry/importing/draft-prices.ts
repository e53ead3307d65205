import { readNumber } from '../../feeds/values/numbers.ts'
import { markupFactor, wholesaleCents } from '../../gems/supplier.ts'
import { digitsFrom } from '../../lib/money.ts'
import { usdCentsFrom } from '../price-conversion.ts'
import type { DraftSettings } from './draft-settings.ts'
import type { JewelryNotes } from './jewelry-notes.ts'
import { required, type Texts, Unsaleable } from './row-texts.ts'

const CENTS_MAX = 1e11

export function draftPrices(texts: Texts, settings: DraftSettings) {
  const { supplier } = settings
  const currency = (texts.currency ?? settings.currency).toUpperCase()
  const rate = settings.rates.get(currency)
  if (rate === undefined) {
    throw new Unsaleable('currency', currency, `There is no exchange rate for ${currency}`)
  }
  const centsOf = (field: 'price' | 'retail_price', text: string) => {
    const amount = readNumber(text, settings.style)
    const cents = amount === undefined ? 0 : usdCentsFrom(amount, rate)
    if (cents <= 0) throw new Unsaleable(field, text, 'The price is not a number above zero')
    if (cents > CENTS_MAX) throw new Unsaleable(field, text, 'The price is out of range')
    return cents
  }
  const cost = centsOf('price', priceText(texts, settings.notes))
  const wholesale = wholesaleCents(cost, markupFactor(supplier.markup))
  // Without a retail price it is the trade's usual one, twice the wholesale price.
  const retail = texts.retail_price ? centsOf('retail_price', texts.retail_price) : wholesale * 2
  return {
    cost: digitsFrom(cost),
    wholesale_price: digitsFrom(wholesale),
    wholesale_price_us: digitsFrom(wholesaleCents(cost, markupFactor(supplier.markup_us))),
    retail_price: digitsFrom(retail),
  }
}

/** A sale without an end is the price; one for some days is not. */
function priceText(texts: Texts, notes: JewelryNotes): string {
  const { sale_price: sale, sale_start, sale_end } = texts
  if (sale === undefined) return required(texts, 'price', 50)
  if (sale_start === undefined && sale_end === undefined) return sale
  notes.count('sale_price', sale)
  return required(texts, 'price', 50)
}
