/** Gemstones, jewelry and watches: their filters, and the words of their facts. */
export const JEWELRY = {
  'Country of origin': 'Herkunftsland',
  'Price from': 'Preis ab',
  'More: {filter}': 'Mehr: {filter}',
  untreated: 'unbehandelt',
  '{n} in': '{n} Zoll',
  'automatic chronograph': 'automatischer Chronograph',
  'Wholesale from': 'Einkaufspreis ab',
  'Wholesale up to': 'Einkaufspreis bis',
  'Delivery in days, up to': 'Lieferung in Tagen, bis',
}
