import { CODE_WORDS, GERMAN_STONE_WORDS } from '../../../reference/stone-words.ts'

/** What a customer reads on a shared page, in the languages that it is written in. */
const ENGLISH = {
  locale: 'en-US',
  selection: 'A selection of {count} stones',
  stone: 'Gemstone',
  price: 'Price',
  held: 'Reserved',
  sold: 'Sold',
  withdrawn: 'No longer available',
  shape: 'Shape',
  weight: 'Carat',
  color: 'Color',
  clarity: 'Clarity',
  cut: 'Cut',
  polish: 'Polish',
  symmetry: 'Symmetry',
  fluorescence: 'Fluorescence',
  type: 'Type',
  origin: 'Origin',
  treatment: 'Treatment',
  measurements: 'Measurements',
  ratio: 'Length-to-width ratio',
  table: 'Table',
  depth: 'Depth',
  certificate: 'Certificate',
  number: 'Number',
  viewCertificate: 'View the certificate',
  viewBottom: 'View from below',
  viewVideo: 'Video',
  until: 'Prices and availability as of {now}. This page can be opened until {end}.',
  pdf: 'Save as PDF',
  printed: 'Prices and availability as of {now}.',
  missing: 'This page is not available',
  missingWhy: 'The link has expired, was withdrawn or is not complete.',
  missingHelp: 'Please ask the jeweler who sent it to you for a new one.',
  missingFile: 'This file is not available',
  missingFileWhy: 'It could not be fetched. Please try again later.',
  missingFileHelp: 'The jeweler who sent you the link can show it to you, too.',
  away: 'This page cannot be shown right now',
  awayHelp: 'It is only for a moment. Please try again in a minute.',
  again: 'Try again',
}

export type PageTexts = Readonly<Record<keyof typeof ENGLISH, string>>

const GERMAN: PageTexts = {
  locale: 'de-DE',
  selection: 'Eine Auswahl von {count} Steinen',
  stone: 'Edelstein',
  price: 'Preis',
  held: 'Reserviert',
  sold: 'Verkauft',
  withdrawn: 'Nicht mehr verfügbar',
  shape: 'Form',
  weight: 'Karat',
  color: 'Farbe',
  clarity: 'Reinheit',
  cut: 'Schliff',
  polish: 'Politur',
  symmetry: 'Symmetrie',
  fluorescence: 'Fluoreszenz',
  type: 'Art',
  origin: 'Herkunft',
  treatment: 'Behandlung',
  measurements: 'Maße',
  ratio: 'Verhältnis Länge zu Breite',
  table: 'Tafel',
  depth: 'Tiefe',
  certificate: 'Zertifikat',
  number: 'Nummer',
  viewCertificate: 'Zertifikat ansehen',
  viewBottom: 'Ansicht von unten',
  viewVideo: 'Video',
  until: 'Preise und Verfügbarkeit: Stand {now}. Diese Seite ist bis {end} abrufbar.',
  pdf: 'Als PDF speichern',
  printed: 'Preise und Verfügbarkeit: Stand {now}.',
  missing: 'Diese Seite ist nicht verfügbar',
  missingWhy: 'Der Link ist abgelaufen, wurde zurückgezogen oder ist unvollständig.',
  missingHelp: 'Bitte fragen Sie den Juwelier, der ihn Ihnen geschickt hat, nach einem neuen.',
  missingFile: 'Diese Datei ist nicht verfügbar',
  missingFileWhy: 'Sie konnte nicht geladen werden. Bitte versuchen Sie es später noch einmal.',
  missingFileHelp: 'Auch der Juwelier, der Ihnen den Link geschickt hat, kann sie Ihnen zeigen.',
  away: 'Diese Seite lässt sich gerade nicht zeigen',
  awayHelp: 'Es ist nur vorübergehend. Bitte versuchen Sie es in einer Minute noch einmal.',
  again: 'Noch einmal versuchen',
}

/** Codes in words; a customer says natural where the trade says mined. */
const CODES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(CODE_WORDS),
  ['mined', 'Natural'],
])

const GERMAN_VALUES: ReadonlyMap<string, string> = new Map(Object.entries(GERMAN_STONE_WORDS))

/** Writes the value of a field in the language of the page. */
export function valueIn(texts: PageTexts, value: string): string {
  const english = CODES.get(value) ?? value.replaceAll('_', ' ')
  const words = texts === GERMAN ? GERMAN_VALUES.get(english.toLowerCase()) : undefined
  return words ?? english.toLowerCase()
}

/** A text with its values. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(new Map(Object.entries(values)).get(name) ?? ''),
  )
}

const LANGUAGES: ReadonlyMap<string, PageTexts> = new Map([
  ['en', ENGLISH],
  ['de', GERMAN],
])
export const ALL_TEXTS = [...LANGUAGES.values()]

/** The texts in the language that the reader likes best, by its browser; English otherwise. */
export function textsFor(acceptLanguage: string | undefined): PageTexts {
  const asked = (acceptLanguage ?? '')
    .slice(0, HEADER_LENGTH_MAX)
    .split(',')
    .map((each) => {
      const [range = '', ...parameters] = each.split(';').map((part) => part.trim())
      const quality = parameters.find((part) => part.startsWith('q='))?.slice(2)
      return { language: range.toLowerCase().split('-')[0], quality: Number(quality ?? 1) }
    })
  const known = asked
    .filter(({ language, quality }) => LANGUAGES.has(language) && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return LANGUAGES.get(known[0]?.language ?? 'en') ?? ENGLISH
}

/** Longer than any list of languages that a browser sends. */
const HEADER_LENGTH_MAX = 200
