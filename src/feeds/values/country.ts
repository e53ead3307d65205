import { COUNTRY_CODES, threeLetterCountry } from '../../reference/countries.ts'
import { cached, fold } from './spelling.ts'

/** What suppliers write besides official names: short forms and trading cities. */
const OTHER_NAMES: Record<string, string> = {
  USA: `
    UNITEDSTATESOFAMERICA UNITEDSTATES AMERICA NEWYORK NY NYC LOSANGELES LA CHICAGO MIAMI DALLAS
    HOUSTON LASVEGAS SANFRANCISCO ATLANTA BOSTON
  `,
  GBR: 'UK GREATBRITAIN ENGLAND LONDON BIRMINGHAM',
  IND: 'MUMBAI SURAT BOMBAY DELHI NEWDELHI JAIPUR MUM AHMEDABAD',
  BEL: 'ANTWERP ANTWERPEN ANVERS BELGIQUE',
  ISR: 'RAMATGAN TELAVIV',
  HKG: 'HONGKONG HONGKONGSAR HK',
  ARE: 'UAE DUBAI EMIRATES DMCC',
  CHN: 'SHANGHAI SHENZHEN BEIJING GUANGZHOU PRC MAINLANDCHINA',
  THA: 'BANGKOK',
  JPN: 'TOKYO',
  RUS: 'RUSSIANFEDERATION MOSCOW',
  KOR: 'SOUTHKOREA SKOREA KOREA SEOUL',
  CHE: 'GENEVA ZURICH',
  DEU: 'IDAROBERSTEIN',
  ZAF: 'SAFRICA RSA JOHANNESBURG CAPETOWN',
  AUS: 'SYDNEY MELBOURNE',
  CAN: 'TORONTO VANCOUVER MONTREAL',
  NLD: 'HOLLAND AMSTERDAM',
  TUR: 'ISTANBUL TURKEY',
  CZE: 'CZECHREPUBLIC',
  VNM: 'VIETNAM',
  MMR: 'BURMA',
  LKA: 'CEYLON COLOMBO',
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
  return byName
}

/** Reads a country code, a country name or a trading city; returns the three-letter code. */
export const readCountry = cached((text: string): string | undefined => {
  const whole = BY_NAME.get(fold(text))
  if (whole) return whole
  // For `Mumbai, India` and `New York - USA`, the last known part counts.
  const parts = text.split(/[,/;|]|\s-\s/).map((part) => BY_NAME.get(fold(part)))
  return parts.findLast((code) => code !== undefined)
})
