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
  missing: 'This page is not available',
  missingWhy: 'The link has expired, was withdrawn or is not complete.',
  missingHelp: 'Please ask the jeweler who sent it to you for a new one.',
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
  missing: 'Diese Seite ist nicht verfügbar',
  missingWhy: 'Der Link ist abgelaufen, wurde zurückgezogen oder ist unvollständig.',
  missingHelp: 'Bitte fragen Sie den Juwelier, der ihn Ihnen geschickt hat, nach einem neuen.',
}

/** The trade's codes in words that a customer knows. */
const CODES: ReadonlyMap<string, string> = new Map([
  ['mined', 'Natural'],
  ['lab grown', 'Lab grown'],
  ['IDL', 'Ideal'],
  ['EX', 'Excellent'],
  ['VG', 'Very good'],
  ['G', 'Good'],
  ['F', 'Fair'],
  ['P', 'Poor'],
  ['FAN', 'Fancy'],
  ['FDK', 'Fancy dark'],
  ['FDP', 'Fancy deep'],
  ['FLT', 'Fancy light'],
  ['FNT', 'Faint'],
  ['INT', 'Fancy intense'],
  ['LIT', 'Light'],
  ['VIV', 'Fancy vivid'],
  ['VLT', 'Very light'],
  ['BK', 'Black'],
  ['BL', 'Blue'],
  ['BN', 'Brown'],
  ['CH', 'Champagne'],
  ['CM', 'Chameleon'],
  ['CG', 'Cognac'],
  ['GY', 'Gray'],
  ['GR', 'Green'],
  ['OR', 'Orange'],
  ['PN', 'Pink'],
  ['PL', 'Purple'],
  ['RD', 'Red'],
  ['VL', 'Violet'],
  ['YL', 'Yellow'],
  ['WH', 'White'],
  ['OT', 'Other'],
])

/**
 * The German of values, by their English words in lower case. A test compares them with those of
 * the console, whose dictionary is not a part of the server.
 */
export const GERMAN_VALUES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    natural: 'natürlich',
    'lab grown': 'im Labor gezüchtet',
    asscher: 'Asscher',
    baguette: 'Baguette',
    briolette: 'Briolette',
    bullets: 'Bullet',
    calf: 'Calf',
    cushion: 'Kissen',
    emerald: 'Smaragd',
    'half moon': 'Halbmond',
    heart: 'Herz',
    hexagon: 'Sechseck',
    lozenge: 'Raute',
    marquise: 'Marquise',
    octagon: 'Achteck',
    oval: 'oval',
    pear: 'Tropfen',
    princess: 'Prinzess',
    radiant: 'Radiant',
    rectangle: 'Rechteck',
    round: 'rund',
    shield: 'Schild',
    'tapered baguette': 'konische Baguette',
    trapezoid: 'Trapez',
    triangle: 'Dreieck',
    sapphire: 'Saphir',
    ruby: 'Rubin',
    spinel: 'Spinell',
    tanzanite: 'Tansanit',
    tourmaline: 'Turmalin',
    aquamarine: 'Aquamarin',
    morganite: 'Morganit',
    garnet: 'Granat',
    amethyst: 'Amethyst',
    topaz: 'Topas',
    peridot: 'Peridot',
    alexandrite: 'Alexandrit',
    teal: 'petrol',
    padparadscha: 'Padparadscha',
    'purplish red': 'purpurrot',
    'bluish green': 'blaugrün',
    grey: 'grau',
    'violetish blue': 'violettblau',
    'light blue': 'hellblau',
    peach: 'pfirsichfarben',
    'green to red': 'grün bis rot',
    'yellowish green': 'gelbgrün',
    black: 'schwarz',
    blue: 'blau',
    brown: 'braun',
    champagne: 'Champagner',
    chameleon: 'Chamäleon',
    cognac: 'Cognac',
    gray: 'grau',
    green: 'grün',
    orange: 'orange',
    pink: 'rosa',
    red: 'rot',
    violet: 'violett',
    yellow: 'gelb',
    white: 'weiß',
    none: 'keine',
    heated: 'erhitzt',
    'minor oil': 'leicht geölt',
    'moderate oil': 'mäßig geölt',
    'laser drilled': 'lasergebohrt',
    'clarity enhanced': 'reinheitsverbessert',
    irradiated: 'bestrahlt',
    ideal: 'ideal',
    excellent: 'exzellent',
    'very good': 'sehr gut',
    good: 'gut',
    fair: 'mittel',
    poor: 'gering',
    fancy: 'fancy',
    'fancy dark': 'fancy dunkel',
    'fancy deep': 'fancy tief',
    'fancy light': 'fancy hell',
    'fancy intense': 'fancy intensiv',
    'fancy vivid': 'fancy lebhaft',
    light: 'hell',
    'very light': 'sehr hell',
    'very slight': 'sehr gering',
    slight: 'gering',
    faint: 'schwach',
    medium: 'mittel',
    strong: 'stark',
    'very strong': 'sehr stark',
    purple: 'lila',
    other: 'andere',
  }),
)

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
