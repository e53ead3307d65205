/** Every sentence that a visitor reads. A page in another language replaces them (`setTexts`). */
const texts = {
  shapes: 'Shape',
  kind: 'Kind',
  anyKind: 'All',
  mined: 'Natural',
  labGrown: 'Lab grown',
  carat: 'Carat',
  price: 'Price',
  from: 'from',
  to: 'to',
  color: 'Color',
  clarity: 'Clarity',
  cut: 'Cut',
  any: 'Any',
  orBetter: 'or better',
  sort: 'Sort by',
  priceUp: 'Price, low to high',
  priceDown: 'Price, high to low',
  caratUp: 'Carat, low to high',
  caratDown: 'Carat, high to low',
  filters: 'Filters',
  clear: 'Clear filters',
  stonesOne: '1 stone',
  stonesMany: '{count} stones',
  more: 'Show more',
  loading: 'Loading',
  empty: 'No stone matches these filters.',
  emptyHint: 'Widen a range or choose another shape.',
  emptyCurated: 'There is no such stone right now.',
  emptyCuratedHint: 'Try another weight or shape.',
  gone: 'This stone is no longer available.',
  goneHint: 'It may have been sold.',
  failed: 'The stones cannot be shown right now.',
  failedHint: 'Please try again in a moment.',
  again: 'Try again',
  details: 'View details',
  close: 'Close',
  onHold: 'Reserved',
  certificate: 'Certificate',
  measurements: 'Measurements',
  ratio: 'Length to width',
  depth: 'Depth',
  table: 'Table',
  polish: 'Polish',
  symmetry: 'Symmetry',
  fluorescence: 'Fluorescence',
  number: 'Number',
  origin: 'Origin',
  treatment: 'Treatment',
  delivery: 'Delivery',
  days: '{days} business days',
  view: 'Rotating view',
  facts: 'Details of the stone',
  ask: 'Ask about this stone',
  name: 'Name',
  email: 'E-mail',
  message: 'Message',
  messageHint: 'I would like to know more about this stone.',
  send: 'Send',
  sending: 'Sending…',
  sent: 'Thank you. Your question was sent.',
  sentHint: 'The answer comes by e-mail.',
  notSent: 'The question could not be sent. Please try again in a moment.',
  tooMany: 'You have sent many questions. Please try again later.',
  required: 'Please fill in this field.',
  badEmail: 'Please enter an e-mail address.',
  website: 'Leave this field empty',
  weight: 'Weight in carat',
  find: 'Find stones',
}

export type TextName = keyof typeof texts

export function text(name: TextName, values: Record<string, string | number> = {}): string {
  return texts[name].replaceAll(/\{(\w+)\}/g, (_, value: string) => String(values[value] ?? ''))
}

/** Told to the elements that are on the page already. */
export const TEXTS_CHANGED = 'pavilion:texts'

/** Replaces some of the sentences: `setTexts({ send: 'Senden' })`. */
export function setTexts(own: Partial<Record<TextName, string>>): void {
  for (const name of Object.keys(texts) as TextName[]) texts[name] = own[name] ?? texts[name]
  document.dispatchEvent(new Event(TEXTS_CHANGED))
}
