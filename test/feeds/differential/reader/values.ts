/** The trade's spellings, as far as the guides and counted files have them. */
function table(lines: Record<string, string>): Map<string, string> {
  return new Map(
    Object.entries(lines).flatMap(([value, spellings]) =>
      spellings.split(',').map((spelling) => [squeeze(spelling), value] as const),
    ),
  )
}

const squeeze = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

const SHAPES = table({
  round: 'Round,BR,RB,RD,RBC,RND,B,Round Brilliant',
  pear: 'Pear,PS,PSH,PB,PMB,Pear Modified Brilliant',
  emerald: 'Emerald,E,EM,EC,Emerald Cut',
  princess: 'Princess,PRN,PR,PRIN,PN,PC,MDSQB,SMB',
  marquise: 'Marquise,MQB,M,MQ',
  asscher: 'Asscher,Ascher,A,AS,ASH,CSS,CSSC,SQEM,Square Emerald,SQ. EMERALD',
  cushion:
    'Cushion,CB,CU,CUX,CMB,CUSH,CUS,RCRMB,CRC,CSC,CX,RCSB,SCMB,SCX,Cushion Brilliant,' +
    'Cushion Modified,Cushion B',
  heart: 'Heart,H,HS,HT,MHRC',
  oval: 'Oval,O,OV,OMB',
  radiant: 'Radiant,RAD,RA,RC,RDN,CRB,RCRB,Square Radiant,Long Radiant,LRAD',
  triangle: 'Triangle,Triangular,Trilliant,TR,TRIL,T',
  baguette: 'Baguette,BAG',
})

/** Codes that stand for two shapes, and what tells them apart. */
export function readShape(
  text: string,
  stone: { ratio: number | null; density: number | null; hasCut: boolean },
): string | null {
  const code = squeeze(text)
  const { ratio, density, hasCut } = stone
  if (code === 'r') {
    if (density !== null && ratio !== null)
      return density < 0.0068 && ratio < 1.05 ? 'round' : density > 0.0074 ? 'radiant' : null
    return hasCut ? 'round' : null
  }
  if (code === 'p') {
    if (density === null || ratio === null) return null
    return ratio > 1.2 && density < 0.007
      ? 'pear'
      : ratio < 1.1 && density > 0.0075
        ? 'princess'
        : null
  }
  if (code === 'ac') {
    if (ratio === null) return null
    return ratio < 1.1 ? 'asscher' : ratio > 1.2 ? 'emerald' : null
  }
  if (code === 'c') return density !== null && density > 0.0072 ? 'cushion' : null
  return SHAPES.get(code) ?? null
}

const GRADES = table({
  IDL: 'I,ID,Ideal',
  EX: 'EX,X,E,EXC,Excellent',
  VG: 'VG,GV,V,V.Good,V.G,Very Good',
  G: 'G,GD,Good',
  F: 'F,FR,Fair',
  P: 'P,Poor',
})
export const readCut = (text: string) => GRADES.get(squeeze(text)) ?? null
/** Polish and symmetry have no ideal. */
export function readFinish(text: string): string | null {
  const grade = readCut(text)
  return grade === 'IDL' ? 'EX' : grade
}

const FLUORESCENCES = table({
  None: 'N,None,NON,NN,NG',
  Faint: 'F,Faint,FT,FNT BL,FNT,Faint Blue',
  Medium: 'M,MD,MED,MB,MODER,Medium,Medium Blue,MED BLUE',
  Strong: 'S,ST,STG,STG BL,STB,SB,Strong,Strong Blue',
  'Very Strong': 'VS,VST,VSTG,VSTB,Very Strong,Very Strong Blue',
  Slight: 'SLT,SLT BL,SL,SLY,Slight',
  'Very Slight': 'VSL,VSLB,Very Slight',
})
export const readFluorescence = (text: string) => FLUORESCENCES.get(squeeze(text)) ?? null

const GIRDLES = table({
  XTK: 'XTK,ETK,Extremely Thick,EX.THICK,EXT THICK',
  VTK: 'VTK,VTHK,Very Thick,V.THICK',
  TK: 'TK,THK,Thick',
  STK: 'STK,SLTK,Slightly Thick,SL.THICK',
  MD: 'M,MD,MED,Medium',
  TN: 'TN,THN,Thin',
  VTN: 'VTN,VTHN,Very Thin,V.THIN',
  ETN: 'ETN,XTN,Extremely Thin,EX.THIN',
})
const THICKNESS = ['ETN', 'VTN', 'TN', 'MD', 'STK', 'TK', 'VTK', 'XTK']
export const readGirdle = (text: string) => GIRDLES.get(squeeze(text)) ?? null
/** The thin and the thick end of "MED - STK". */
export function readGirdleRange(text: string): [string | null, string | null] {
  const ends = text.split(/\s*(?:-|\/|\bto\b)\s*/i).map(readGirdle)
  const [first, second = first] = ends
  if (first === null || second === null) return [first, second]
  return THICKNESS.indexOf(first) <= THICKNESS.indexOf(second) ? [first, second] : [second, first]
}

const CULETS = table({
  N: 'N,NON,None,Pointed',
  VS: 'VS,Very Small,V.SMALL',
  S: 'S,SML,Small',
  M: 'M,MED,Medium',
  SL: 'SL,Slightly Large',
  L: 'L,Large',
  VL: 'VL,Very Large',
  EL: 'EL,XL,Extremely Large',
})
export const readCulet = (text: string) => CULETS.get(squeeze(text)) ?? null

const CLARITIES = ['FL', 'IF', 'VVS1', 'VVS2', 'VS1', 'VS2', 'SI1', 'SI2', 'I1', 'I2', 'I3']
export const readClarity = (text: string) =>
  CLARITIES.find((clarity) => clarity === text.toUpperCase().replaceAll(' ', '')) ?? null

const HUES = table({
  YL: 'Yellow',
  PN: 'Pink',
  BL: 'Blue',
  GR: 'Green',
  OR: 'Orange',
  BN: 'Brown',
  GY: 'Gray,Grey',
  BK: 'Black',
  PL: 'Purple',
  RD: 'Red',
  VL: 'Violet',
})
const INTENSITIES = table({
  FAN: 'Fancy',
  INT: 'Fancy Intense,Intense',
  VIV: 'Fancy Vivid,Vivid',
  FLT: 'Fancy Light',
  FDP: 'Fancy Deep,Deep',
  FDK: 'Fancy Dark,Dark',
  FNT: 'Faint',
  VLT: 'Very Light',
  LIT: 'Light',
})
export const readHue = (text: string) => HUES.get(squeeze(text)) ?? null
export const readIntensity = (text: string) => INTENSITIES.get(squeeze(text)) ?? null
const FANCY_CODES = table({
  'FAN YL': 'FY',
  'FLT YL': 'FLY',
  'INT YL': 'FIY',
  'VIV YL': 'FVY',
  'FDP YL': 'FPY',
  'FDK YL': 'FDY',
})

export interface ReadColor {
  color: string | null
  intensity: string | null
  overtone: string | null
  isFancy: boolean
}

/** A grade from D to Z, or a fancy color in words or as a code. */
export function readColor(text: string): ReadColor | null {
  const grade = text.toUpperCase().replace(/[\s-]/g, '')
  if (/^([D-Z]|OP|QR|ST|UV|WX|YZ)$/.test(grade))
    return { color: grade, intensity: null, overtone: null, isFancy: false }
  const code = FANCY_CODES.get(squeeze(text))
  if (code !== undefined) {
    const [intensity, color] = code.split(' ')
    return { color, intensity, overtone: null, isFancy: true }
  }
  const words = text.split(/\s+/)
  const hue = readHue(words[words.length - 1])
  if (hue === null) return null
  const isTone = words.length > 1 && /(ish|gy)$/i.test(words[words.length - 2])
  const overtone = isTone ? words[words.length - 2] : null
  const intensity = readIntensity(words.slice(0, isTone ? -2 : -1).join(' '))
  return { color: hue, intensity, overtone, isFancy: true }
}

const COUNTRIES = table({
  IND: 'India,IN,IND',
  USA: 'United States,USA,US',
  BEL: 'Belgium,BE,BEL',
  ISR: 'Israel,IL,ISR',
  HKG: 'Hong Kong,HK,HKG',
})
export const readCountry = (text: string) => COUNTRIES.get(squeeze(text)) ?? null

/** A number in a file whose decimal sign is known. Every other sign groups digits. */
export function readNumber(text: string, decimal: '.' | ','): number | null {
  const digits = text.replace(/^(₹|Rs\.?|€|£|US\$|\$)\s*/i, '').replace(/\s*%$/, '')
  const plain = digits.replaceAll(decimal === '.' ? ',' : '.', '').replace(decimal, '.')
  return /^[-+]?\d+(\.\d+)?$/.test(plain) ? Number(plain) : null
}

/** The currency whose sign stands in a cell. */
export function signIn(text: string): string | undefined {
  if (/^(₹|Rs\b)/i.test(text)) return 'INR'
  if (text.startsWith('€')) return 'EUR'
  if (text.startsWith('£')) return 'GBP'
  return text.startsWith('$') || text.startsWith('US$') ? 'USD' : undefined
}

const NOT_OFFERED =
  /^(na|n|not available|unavailable|sold|m|memo|on ?memo|out on memo|hold|on hold)$/i
export const isOffered = (text: string) => !NOT_OFFERED.test(text.trim())

const GROWN = /lab(oratory)?[- _]?(grown|created)|\bcvd\b|\bhpht\b|\blgd?\b|as grown/i
export const saysGrown = (text: string) => GROWN.test(text)
