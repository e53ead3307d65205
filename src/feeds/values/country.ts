import { COUNTRY_CODES, threeLetterCountry } from '../../reference/countries.ts'
import { cached, fold, wordSet } from './spelling.ts'

/** What suppliers write besides official names: short forms and trading cities. */
const OTHER_NAMES: Record<string, string> = {
  USA: `
    UNITEDSTATESOFAMERICA UNITEDSTATES AMERICA NEWYORK NY NYC LOSANGELES LA CHICAGO MIAMI DALLAS
    HOUSTON LASVEGAS SANFRANCISCO ATLANTA BOSTON SECAUCUS VEREINIGTESTAATEN
    ETATSUNIS ESTADOSUNIDOS STATIUNITI
  `,
  GBR: 'UK GREATBRITAIN ENGLAND LONDON BIRMINGHAM',
  IND: `
    MUMBAI SURAT BOMBAY DELHI NEWDELHI JAIPUR MUM AHMEDABAD KOLKATA CALCUTTA NAVSARI BHAVNAGAR
    GUJARAT MAHARASHTRA BHARAT INDIEN INDE
  `,
  BEL: 'ANTWERP ANTWERPEN ANVERS BELGIQUE BELGIEN BELGICA BELGIO',
  ISR: 'RAMATGAN TELAVIV',
  HKG: 'HONGKONG HONGKONGSAR HK',
  ARE: 'UAE DUBAI EMIRATES DMCC',
  CHN: 'SHANGHAI SHENZHEN BEIJING GUANGZHOU PRC MAINLANDCHINA',
  THA: 'BANGKOK BKK',
  JPN: 'TOKYO',
  RUS: 'RUSSIANFEDERATION MOSCOW',
  KOR: 'SOUTHKOREA SKOREA KOREA SEOUL',
  CHE: 'GENEVA ZURICH SCHWEIZ SUISSE SUIZA SVIZZERA',
  DEU: 'IDAROBERSTEIN DEUTSCHLAND ALLEMAGNE ALEMANIA GERMANIA',
  ZAF: 'SAFRICA RSA JOHANNESBURG CAPETOWN',
  AUS: 'SYDNEY MELBOURNE',
  CAN: 'TORONTO VANCOUVER MONTREAL',
  NLD: 'HOLLAND AMSTERDAM',
  TUR: 'ISTANBUL TURKEY',
  CZE: 'CZECHREPUBLIC',
  VNM: 'VIETNAM',
  MMR: 'BURMA',
  LKA: 'CEYLON COLOMBO',
  MAC: 'MACAU',
  BWA: 'GABORONE',
  CIV: 'IVORYCOAST',
}
const BY_NAME = indexCountries()

function indexCountries(): Map<string, string> {
  const english = new Intl.DisplayNames(['en'], { type: 'region' })
  const byName = new Map<string, string>()
  for (const two of COUNTRY_CODES) {
    const three = threeLetterCountry(two)
    byName
      .set(fold(english.of(two) ?? three), three)
      .set(two, three)
      .set(three, three)
  }
  for (const [three, names] of Object.entries(OTHER_NAMES)) {
    for (const name of names.trim().split(/\s+/)) if (!byName.has(name)) byName.set(name, three)
  }
  // The code of Laos, where nobody trades in stones.
  return byName.set('LA', 'USA')
}

/** Reads a country code, a country name or a trading city; returns the three-letter code. */
export const readCountry = cached((text: string): string | undefined => {
  const region = COUNTRY_AND_REGION.exec(text.trim())?.[1]
  const whole = BY_NAME.get(fold(region ?? text))
  if (whole) return whole
  // For `Mumbai, India` and `New York - USA`, the last known part counts.
  const parts = text.split(/[,/;|]|\s-\s/)
  const states = parts.findIndex((part, at) => at > 0 && US_STATES.has(part.trim().split(' ')[0]))
  if (states > 0) return countryWithState(parts.slice(0, states), parts[states])
  const codes = parts.flatMap((part) => BY_NAME.get(fold(part)) ?? [])
  return regionOfChina(codes) ?? codes.at(-1) ?? countryOfWords(text) ?? countryBeforeCity(text)
})

/** `US-NY`, `IN_MH` */
const COUNTRY_AND_REGION = /^([A-Z]{2})[-_][A-Z]{2,3}$/

const REGIONS_OF_CHINA: readonly string[] = ['HKG', 'MAC', 'TWN']

/** `Hong Kong, China` is in Hong Kong. */
function regionOfChina(codes: readonly string[]): string | undefined {
  return codes.includes('CHN') ? codes.find((code) => REGIONS_OF_CHINA.includes(code)) : undefined
}

const CODE_AND_CITY = /^([A-Z]{2})\s*[-_]\s*(\p{L}.{2,})$/u

/** `IN-Mumbai`, `BE - Antwerp`: a code and a place in the same country. */
function countryBeforeCity(text: string): string | undefined {
  const [, code = '', city = ''] = CODE_AND_CITY.exec(text.trim()) ?? []
  const country = BY_NAME.get(code)
  return country !== undefined && BY_NAME.get(fold(city)) === country ? country : undefined
}

/** `Los Angeles, CA` is not in Canada; of `Carlsbad, CA` nobody knows. */
function countryWithState(before: readonly string[], state: string): string | undefined {
  const place = before.map((part) => BY_NAME.get(fold(part))).findLast((code) => code !== undefined)
  const country = BY_NAME.get(fold(state))
  return place ?? (country === undefined ? 'USA' : undefined)
}

/** Abbreviations that stand after a city; many of them are countries, too. */
const US_STATES = wordSet(`
  AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY
  NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC
`)

const NAME_WORDS_MAX = 3
/** Shorter words are codes, or parts of other names. */
const NAME_CHARS_MIN = 3
const SHORT_NAMES = wordSet('UK US HK')
const BESIDE_PLACES = wordSet('OFFICE BRANCH STOCK LOCATION SAFE VAULT CITY')

/** `INDIA (MUMBAI)`, `Hong Kong Office`: nothing but places, which are all in one country. */
function countryOfWords(text: string): string | undefined {
  const words = text.split(/[^\p{L}.]+/u).filter(Boolean)
  const found = new Set<string | undefined>()
  let hasState = false
  for (let at = 0; at < words.length; ) {
    const count = placeLength(words, at)
    if (count > 0) found.add(BY_NAME.get(fold(words.slice(at, at + count).join(''))))
    else if (US_STATES.has(words[at])) hasState = true
    else if (!BESIDE_PLACES.has(fold(words[at]))) return undefined
    at += Math.max(1, count)
  }
  const codes = [...found].filter((code) => code !== undefined)
  const country = codes.length === 1 ? codes[0] : regionOfChina(codes)
  return hasState && country !== 'USA' ? undefined : country
}

/** How many words from here on are the name of one place. */
function placeLength(words: readonly string[], at: number): number {
  for (let count = Math.min(NAME_WORDS_MAX, words.length - at); count > 0; count--) {
    const name = fold(words.slice(at, at + count).join(''))
    const isName = name.length >= NAME_CHARS_MIN || SHORT_NAMES.has(name)
    if (isName && BY_NAME.has(name)) return count
  }
  return 0
}
