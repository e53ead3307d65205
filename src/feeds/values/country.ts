import { fold, remember } from './spelling.ts'

/** Two- and three-letter codes of ISO 3166-1; the English names come from the platform. */
const CODES =
  'AF:AFG AL:ALB DZ:DZA AD:AND AO:AGO AR:ARG AM:ARM AU:AUS AT:AUT AZ:AZE BS:BHS BH:BHR BD:BGD ' +
  'BB:BRB BY:BLR BE:BEL BZ:BLZ BJ:BEN BM:BMU BT:BTN BO:BOL BA:BIH BW:BWA BR:BRA BN:BRN BG:BGR ' +
  'BF:BFA BI:BDI KH:KHM CM:CMR CA:CAN CF:CAF TD:TCD CL:CHL CN:CHN CO:COL CG:COG CD:COD CR:CRI ' +
  'CI:CIV HR:HRV CU:CUB CY:CYP CZ:CZE DK:DNK DO:DOM EC:ECU EG:EGY SV:SLV EE:EST ET:ETH FI:FIN ' +
  'FR:FRA GA:GAB GE:GEO DE:DEU GH:GHA GR:GRC GT:GTM GN:GIN GY:GUY HT:HTI HN:HND HK:HKG HU:HUN ' +
  'IS:ISL IN:IND ID:IDN IR:IRN IQ:IRQ IE:IRL IL:ISR IT:ITA JM:JAM JP:JPN JO:JOR KZ:KAZ KE:KEN ' +
  'KR:KOR KW:KWT KG:KGZ LA:LAO LV:LVA LB:LBN LS:LSO LR:LBR LI:LIE LT:LTU LU:LUX MO:MAC MG:MDG ' +
  'MW:MWI MY:MYS MV:MDV ML:MLI MT:MLT MU:MUS MX:MEX MD:MDA MC:MCO MN:MNG ME:MNE MA:MAR MZ:MOZ ' +
  'MM:MMR NA:NAM NP:NPL NL:NLD NZ:NZL NI:NIC NE:NER NG:NGA MK:MKD NO:NOR OM:OMN PK:PAK PA:PAN ' +
  'PY:PRY PE:PER PH:PHL PL:POL PT:PRT PR:PRI QA:QAT RO:ROU RU:RUS RW:RWA SA:SAU SN:SEN RS:SRB ' +
  'SC:SYC SL:SLE SG:SGP SK:SVK SI:SVN ZA:ZAF ES:ESP LK:LKA SE:SWE CH:CHE SY:SYR TW:TWN TJ:TJK ' +
  'TZ:TZA TH:THA TG:TGO TT:TTO TN:TUN TR:TUR TM:TKM UG:UGA UA:UKR AE:ARE GB:GBR US:USA UY:URY ' +
  'UZ:UZB VE:VEN VN:VNM YE:YEM ZM:ZMB ZW:ZWE'

/** What the trade writes besides the official names: short forms, and its own cities. */
const OTHER_NAMES: Record<string, string> = {
  USA: 'UNITEDSTATESOFAMERICA UNITEDSTATES AMERICA NEWYORK NY NYC LOSANGELES LA CHICAGO MIAMI DALLAS HOUSTON LASVEGAS SANFRANCISCO ATLANTA BOSTON',
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
  KOR: 'SOUTHKOREA KOREA SEOUL',
  CHE: 'GENEVA ZURICH',
  DEU: 'IDAROBERSTEIN',
  ZAF: 'JOHANNESBURG CAPETOWN',
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
  for (const pair of CODES.split(' ')) {
    const [two, three] = pair.split(':')
    byName
      .set(fold(english.of(two) ?? three), three)
      .set(two, three)
      .set(three, three)
  }
  for (const [three, names] of Object.entries(OTHER_NAMES)) {
    for (const name of names.split(' ')) if (!byName.has(name)) byName.set(name, three)
  }
  return byName
}

/** The three-letter code of a country given as code, name, or one of the trade's cities. */
export const readCountry = remember((text: string): string | undefined => {
  const whole = BY_NAME.get(fold(text))
  if (whole) return whole
  // `Mumbai, India` and `New York - USA`: the last part that is known.
  const parts = text.split(/[,/;|]|\s-\s/).map((part) => BY_NAME.get(fold(part)))
  return parts.findLast((code) => code !== undefined)
})
