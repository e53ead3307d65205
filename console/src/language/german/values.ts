import { FLUORESCENCES } from '../../../../src/reference/attributes.ts'
import { GERMAN_STONE_WORDS } from '../../../../src/reference/stone-words.ts'
import { JEWELRY_WORDS } from './jewelry-words.ts'

/** Words of stones where `tIn` looks for them. */
function inContext(
  context: string,
  words: readonly string[],
  write: (german: string) => string,
): Record<string, string> {
  const german = new Map<string, string>(Object.entries(GERMAN_STONE_WORDS))
  return Object.fromEntries(
    words.map((word) => [`${context}: ${word}`, write(german.get(word.toLowerCase()) ?? word)]),
  )
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Values of the interface in words, as `humanize` writes them: states, kinds, shapes and grades.
 * They are shown by name, so no call of `t` mentions them. Those of stones are words of the server
 * as well.
 */
export const VALUES = {
  ...GERMAN_STONE_WORDS,
  ...JEWELRY_WORDS,
  // styles of cut
  'rose cut': 'Rosenschliff',
  'brilliant cut': 'Brillantschliff',
  'step cut': 'Treppenschliff',
  'mirror cut': 'Spiegelschliff',
  'european cut': 'Europäischer Altschliff',
  'old mine cut': 'Old-Mine-Schliff',
  'mixed cut': 'Gemischter Schliff',
  'modified cut': 'Abgewandelter Schliff',
  // words of filters
  ...inContext('fluorescence', FLUORESCENCES, capitalize),
  ...inContext('treatment', ['laser drilled', 'clarity enhanced', 'irradiated'], (word) => word),
  None: 'Keine',
  'milky: None': 'Keine',
  'milky: Light': 'Leicht',
  'milky: Medium': 'Mittel',
  'milky: Heavy': 'Stark',
  'shade: None': 'Keiner',
  'shade: Light Brown': 'Hellbraun',
  'shade: Brown': 'Braun',
  'shade: Green': 'Grün',
  'shade: Gray': 'Grau',
  Orangy: 'Orangestichig',
  Brownish: 'Bräunlich',
  Greenish: 'Grünlich',
  Pinkish: 'Rosastichig',
  Greyish: 'Gräulich',
  Yellowish: 'Gelblich',
  'eye_clean: yes': 'Ja',
  'eye_clean: borderline': 'Grenzwertig',
  'eye_clean: no': 'Nein',
  // The server's answers to a request for a link.
  'If the address has an account, a link is on its way. It works for 30 minutes.':
    'Wenn die Adresse ein Konto hat, ist ein Link unterwegs. Er gilt 30 Minuten.',
  'This market sends no e-mail. Ask an owner or the operator to invite you again.':
    'Dieser Markt sendet keine E-Mails. Bitten Sie um eine neue Einladung.',
  // Kinds of notices.
  'orders that are placed': 'neue Bestellungen',
  'orders that are confirmed': 'bestätigte Bestellungen',
  'orders that are declined': 'abgelehnte Bestellungen',
  'orders that are shipped': 'versandte Bestellungen',
  'orders that are cancelled': 'stornierte Bestellungen',
  returns: 'Rückgaben',
  'offers for a price': 'Preisvorschläge',
  'answers to your offers': 'Antworten auf Ihre Preisvorschläge',
  'memos that are due': 'fällige Kommissionen',
  'holds that are about to end': 'bald endende Reservierungen',
  'saved searches': 'gespeicherte Suchen',
  'stones that you watch': 'gemerkte Steine',
  "questions of your shop's visitors": 'Fragen der Besucher Ihres Shops',
  'feeds that fail': 'fehlgeschlagene Bestandsdateien',
  // Statuses of orders, quotes and returns.
  requested: 'angefragt',
  open: 'offen',
  declined: 'abgelehnt',
  ordered: 'bestellt',
  expired: 'abgelaufen',
  revoked: 'widerrufen',
  countered: 'Gegenangebot',
  approved: 'angenommen',
  rejected: 'zurückgewiesen',
  received: 'zurückerhalten',
  cancelled: 'storniert',
  returned: 'zurückgegeben',
  closed: 'abgeschlossen',
  shipped: 'versandt',
  'partially shipped': 'teilweise versandt',
  paid: 'bezahlt',
  // Kinds of charges.
  shipping: 'Versand',
  insurance: 'Versicherung',
  tax: 'Steuer',
  fee: 'Gebühr',
  discount: 'Rabatt',
  // Stock and imports.
  available: 'verfügbar',
  held: 'reserviert',
  sold: 'verkauft',
  gone: 'nicht mehr gelistet',
  disabled: 'gesperrt',
  diamond: 'Diamant',
  melee: 'Melee',
  mined: 'natürlich',
  'console session': 'Sitzung der Konsole',
  operator: 'Betreiber',
  system: 'System',
  update: 'Aktualisieren',
  replace: 'Ersetzen',
  reading: 'wird gelesen',
  applying: 'wird übernommen',
  undoing: 'wird zurückgenommen',
  undone: 'zurückgenommen',
  total: 'gesamt',
  // Roles of users, and types of tokens.
  owner: 'Inhaber',
  buyer: 'Einkäufer',
  viewer: 'Betrachter',
  'api key': 'API-Schlüssel',
  publishable: 'öffentlich',
}
