import { gzipSync } from 'node:zlib'
import fc from 'fast-check'

/** A stone with the fields that every dialect has. */
export interface TradeStone {
  stock: string
  shape:
    | 'round'
    | 'oval'
    | 'pear'
    | 'emerald'
    | 'princess'
    | 'cushion'
    | 'marquise'
    | 'heart'
    | 'radiant'
    | 'asscher'
  weight: number
  color: string
  fancy: { hue: 'YL' | 'PN' | 'BL'; intensity: 'FAN' | 'INT' | 'VIV' | 'FLT' } | null
  clarity: string
  cut: 'EX' | 'VG' | 'G' | null
  polish: 'EX' | 'VG' | 'G'
  symmetry: 'EX' | 'VG' | 'G'
  fluorescence: 'None' | 'Faint' | 'Medium' | 'Strong' | 'Very Strong'
  length: number
  width: number
  depth: number
  depthPercent: number
  table: number
  lab: 'GIA' | 'IGI' | 'GCAL'
  cert: string
  perCarat: number
  isGrown: boolean
  country: 'IND' | 'USA' | 'BEL' | 'ISR' | 'HKG'
  girdleThin: 'TN' | 'MD'
  girdleThick: 'STK' | 'TK'
  culet: 'N' | 'VS' | 'S'
  image: string | null
}

const SIDES: Record<TradeStone['shape'], number> = {
  round: 1,
  oval: 1.4,
  pear: 1.5,
  emerald: 1.4,
  princess: 1.02,
  cushion: 1.1,
  marquise: 1.9,
  heart: 1.05,
  radiant: 1.3,
  asscher: 1.01,
}

const rounded = (value: number, decimals: number) => Number(value.toFixed(decimals))

/** Generates stones whose sides and prices fit their weight. */
export const tradeStone: fc.Arbitrary<TradeStone> = fc
  .record({
    shape: fc.constantFrom(...(Object.keys(SIDES) as TradeStone['shape'][])),
    weight: fc.integer({ min: 25, max: 520 }).map((points) => points / 100),
    color: fc.constantFrom('D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'M'),
    fancy: fc.option(
      fc.record({
        hue: fc.constantFrom('YL', 'PN', 'BL'),
        intensity: fc.constantFrom('FAN', 'INT', 'VIV', 'FLT'),
      }) as fc.Arbitrary<NonNullable<TradeStone['fancy']>>,
      { freq: 8 },
    ),
    clarity: fc.constantFrom('FL', 'IF', 'VVS1', 'VVS2', 'VS1', 'VS2', 'SI1', 'SI2', 'I1', 'I2'),
    cut: fc.constantFrom('EX', 'VG', 'G', null),
    polish: fc.constantFrom('EX', 'VG', 'G'),
    symmetry: fc.constantFrom('EX', 'VG', 'G'),
    fluorescence: fc.constantFrom('None', 'Faint', 'Medium', 'Strong', 'Very Strong'),
    table: fc.integer({ min: 530, max: 680 }).map((tenths) => tenths / 10),
    lab: fc.constantFrom('GIA', 'IGI', 'GCAL'),
    cert: fc.integer({ min: 1_000_000_000, max: 7_999_999_999 }).map(String),
    noise: fc.integer({ min: 85, max: 115 }),
    isGrown: fc.boolean(),
    country: fc.constantFrom('IND', 'USA', 'BEL', 'ISR', 'HKG'),
    girdleThin: fc.constantFrom('TN', 'MD'),
    girdleThick: fc.constantFrom('STK', 'TK'),
    culet: fc.constantFrom('N', 'VS', 'S'),
    hasImage: fc.boolean(),
  })
  .map(({ noise, hasImage, ...stone }) => {
    const width = rounded((stone.weight / 0.0037 / SIDES[stone.shape] / 1.63) ** (1 / 3), 2)
    const length = rounded(Math.max(width, width * SIDES[stone.shape]), 2)
    const depth = rounded(width * 0.615, 2)
    return {
      ...stone,
      stock: '',
      length,
      width,
      depth,
      depthPercent: rounded((depth / width) * 100, 1),
      perCarat: Math.round((2_600 * stone.weight ** 1.15 * noise) / 100),
      image: hasImage ? `https://media.example/${stone.cert}.jpg` : null,
    } as TradeStone
  })

/** Many stones with distinct stock numbers. */
export const tradeStones = (min: number, max: number) =>
  fc
    .array(tradeStone, { minLength: min, maxLength: max })
    .map((stones) => stones.map((stone, index) => ({ ...stone, stock: `ST-${1000 + index}` })))

type Cells = [column: string, value: string | number | boolean | null][]

export interface TradeDialect {
  name: string
  cells: (stone: TradeStone) => Cells
}

const CODES = {
  rapnet: {
    round: 'BR',
    oval: 'OV',
    pear: 'PS',
    emerald: 'EM',
    princess: 'PR',
    cushion: 'CU',
    marquise: 'MQ',
    heart: 'HS',
    radiant: 'RAD',
    asscher: 'AS',
  },
  words: {
    round: 'Round',
    oval: 'Oval',
    pear: 'Pear',
    emerald: 'Emerald',
    princess: 'Princess',
    cushion: 'Cushion Brilliant',
    marquise: 'Marquise',
    heart: 'Heart',
    radiant: 'Radiant',
    asscher: 'Asscher',
  },
}
const capital = (text: string) => text.toUpperCase()
const HUES = { YL: 'Yellow', PN: 'Pink', BL: 'Blue' }
const INTENSITIES = { FAN: 'Fancy', INT: 'Fancy Intense', VIV: 'Fancy Vivid', FLT: 'Fancy Light' }
const COUNTRIES = {
  IND: 'India',
  USA: 'United States',
  BEL: 'Belgium',
  ISR: 'Israel',
  HKG: 'Hong Kong',
}
const LONG = { EX: 'Excellent', VG: 'Very Good', G: 'Good' }
const GIRDLES = { TN: 'Thin', MD: 'Medium', STK: 'Slightly Thick', TK: 'Thick' }
const CULETS = { N: 'None', VS: 'Very Small', S: 'Small' }
const FLUO = { None: 'N', Faint: 'FNT BL', Medium: 'MED', Strong: 'STG BL', 'Very Strong': 'VST' }

const total = (stone: TradeStone) =>
  ((stone.perCarat * Math.round(stone.weight * 100)) / 100).toFixed(2)
const colorOf = (stone: TradeStone) =>
  stone.fancy ? `${INTENSITIES[stone.fancy.intensity]} ${HUES[stone.fancy.hue]}` : stone.color
const certOf = (stone: TradeStone) => (stone.isGrown ? `LG${stone.cert}` : stone.cert)

/** The formats of the trade, each with its own column names, codes and number formats. */
export const DIALECTS: TradeDialect[] = [
  {
    name: 'RapNet upload',
    cells: (s) => [
      ['Stock #', s.stock],
      ['Availability', 'G'],
      ['Shape', CODES.rapnet[s.shape]],
      ['Weight', s.weight],
      ['Color', s.fancy ? '' : s.color],
      ['Clarity', s.clarity],
      ['Cut Grade', s.cut],
      ['Polish', s.polish],
      ['Symmetry', s.symmetry],
      ['Fluorescence Intensity', FLUO[s.fluorescence]],
      ['Fluorescence Color', ''],
      ['Measurements', `${s.length} x ${s.width} x ${s.depth}`],
      ['Lab', s.lab],
      ['Report #', certOf(s)],
      ['Treatment', ''],
      ['RapNet Price', s.perCarat],
      ['Rapnet Discount %', '-0.30'],
      ['Fancy Color', s.fancy ? HUES[s.fancy.hue] : ''],
      ['Fancy Color Intensity', s.fancy ? INTENSITIES[s.fancy.intensity] : ''],
      ['Fancy Color Overtone', ''],
      ['Depth %', s.depthPercent],
      ['Table %', s.table],
      ['Girdle Thin', s.girdleThin],
      ['Girdle Thick', s.girdleThick],
      ['Culet Size', s.culet],
      ['Cert comment', 'clouds, not shown'],
      ['Country', COUNTRIES[s.country]],
      ['Diamond Image', s.image],
    ],
  },
  {
    name: 'RapNet download',
    cells: (s) => [
      ['Seller Name', 'Somebody'],
      ['Shape', CODES.words[s.shape]],
      ['Weight', s.weight.toFixed(2)],
      ['Color', s.fancy ? '*' : s.color],
      ['Clarity', s.clarity],
      ['Fancy Color', s.fancy ? HUES[s.fancy.hue] : ''],
      ['Fancy Intensity', s.fancy ? INTENSITIES[s.fancy.intensity] : ''],
      ['Fancy color overtones', ''],
      ['Cut', s.cut ? LONG[s.cut] : ''],
      ['Polish', LONG[s.polish]],
      ['Symmetry', LONG[s.symmetry]],
      ['Fluorescence Color', ''],
      ['Fluorescence Intensity', s.fluorescence],
      ['Measurements', `${s.length}x${s.width}x${s.depth}`],
      ['Meas Length', s.length],
      ['Meas Width', s.width],
      ['Meas Depth', s.depth],
      ['Ratio', ''],
      ['Lab', s.lab],
      ['Certificate Number', certOf(s)],
      ['Stock Number', s.stock],
      ['Price Per Carat', s.perCarat],
      ['Price Percentage', -30],
      ['Total Price', total(s)],
      ['Availability', ''],
      ['Depth', s.depthPercent],
      ['Table', s.table],
      ['Girdle Min', GIRDLES[s.girdleThin]],
      ['Girdle Max', GIRDLES[s.girdleThick]],
      ['Culet Size', CULETS[s.culet]],
      ['Country', COUNTRIES[s.country]],
      ['Number of Diamonds', 1],
      ['Image URL', s.image],
    ],
  },
  {
    name: 'Nivoda',
    cells: (s) => [
      ['stock_id', s.stock],
      ['ReportNo', s.cert],
      ['shape', capital(CODES.words[s.shape])],
      ['carats', s.weight],
      ['col', s.fancy ? '' : s.color],
      ['clar', s.clarity],
      ['cut', s.cut],
      ['pol', s.polish],
      ['symm', s.symmetry],
      ['flo', capital(s.fluorescence)],
      ['floCol', ''],
      ['fancyColor', s.fancy ? HUES[s.fancy.hue] : ''],
      ['fancyIntensity', s.fancy ? INTENSITIES[s.fancy.intensity] : ''],
      ['length', s.length],
      ['width', s.width],
      ['height', s.depth],
      ['depth', s.depthPercent],
      ['table', s.table],
      ['culet', CULETS[s.culet]],
      ['girdle', `${GIRDLES[s.girdleThin]} - ${GIRDLES[s.girdleThick]}`],
      ['discount', -22.5],
      ['price', total(s)],
      ['price_per_carat', s.perCarat],
      ['lab', s.lab],
      ['video', ''],
      ['image', s.image],
      ['minDeliveryDays', 4],
      ['maxDeliveryDays', 9],
      ['country', s.country],
      ['labgrownType', s.isGrown ? 'CVD' : ''],
      ['lg', s.isGrown ? 'true' : 'false'],
    ],
  },
  {
    name: 'VDB',
    cells: (s) => [
      ['id', 77],
      ['stock_num', s.stock],
      ['shape', CODES.words[s.shape]],
      ['size', String(s.weight)],
      ['color', s.fancy ? null : s.color],
      ['clarity', s.clarity],
      ['cut', s.cut],
      ['polish', s.polish],
      ['symmetry', s.symmetry],
      ['fluor_intensity', s.fluorescence],
      ['lab', s.lab],
      ['cert_num', s.cert],
      ['lab_grown', s.isGrown],
      ['fancy_color_dominant_color', s.fancy ? HUES[s.fancy.hue] : null],
      ['fancy_color_intensity', s.fancy ? INTENSITIES[s.fancy.intensity] : null],
      ['depth_percent', String(s.depthPercent)],
      ['table_percent', String(s.table)],
      ['meas_length', String(s.length)],
      ['meas_width', String(s.width)],
      ['meas_depth', String(s.depth)],
      ['girdle_min', s.girdleThin],
      ['girdle_max', s.girdleThick],
      ['culet_size', s.culet],
      ['price_per_carat', String(s.perCarat)],
      ['total_sales_price', total(s)],
      ['available', 'G'],
      ['image_url', s.image],
      ['vendor_country', COUNTRIES[s.country]],
      ['country', COUNTRIES[s.country]],
    ],
  },
  {
    name: 'IDEX',
    cells: (s) => [
      ['Item ID #', s.stock],
      ['Cut', CODES.words[s.shape]],
      ['Carat', s.weight],
      ['Color', s.fancy ? '' : s.color],
      ['Natural Fancy Color', s.fancy ? HUES[s.fancy.hue] : ''],
      ['Natural Fancy Color Intensity', s.fancy ? INTENSITIES[s.fancy.intensity] : ''],
      ['Clarity', s.clarity],
      ['Make (Cut Grade)', s.cut ? LONG[s.cut] : ''],
      ['Grading Lab', s.lab],
      ['Certificate Number', certOf(s)],
      ['Image Path', s.image],
      ['Price Per Carat', s.perCarat],
      ['Total Price', total(s)],
      ['Polish', LONG[s.polish]],
      ['Symmetry', LONG[s.symmetry]],
      ['Measurements (LengthxWidthxHeight)', `${s.length}*${s.width}*${s.depth}`],
      ['Depth', s.depthPercent],
      ['Table', s.table],
      ['Girdle (From / To)', `${GIRDLES[s.girdleThin]} / ${GIRDLES[s.girdleThick]}`],
      ['Culet Size', CULETS[s.culet]],
      ['Fluorescence Intensity', s.fluorescence],
      ['Country', COUNTRIES[s.country]],
      ['', ''],
    ],
  },
  {
    name: 'Polygon',
    cells: (s) => [
      ['Supplier ID', 'x'],
      ['Shape', CODES.words[s.shape]],
      ['Weight', s.weight],
      ['Color', s.fancy ? '' : s.color],
      ['Clarity', s.clarity],
      ['Total Price', total(s)],
      ['Stock Number', s.stock],
      ['Lab', s.lab],
      ['Cert #', certOf(s)],
      ['2nd Image', ''],
      ['Dimension', `${s.length}|${s.width}|${s.depth}`],
      ['Depth %', `${s.depthPercent}%`],
      ['Table %', `${s.table}%`],
      ['Girdle Thinnest', GIRDLES[s.girdleThin]],
      ['Girdle Thickest', GIRDLES[s.girdleThick]],
      ['Culet Size', CULETS[s.culet]],
      ['Polish', LONG[s.polish]],
      ['Symmetry', LONG[s.symmetry]],
      ['Fluor Intensity', s.fluorescence],
      ['FC-Main Body', s.fancy ? HUES[s.fancy.hue] : ''],
      ['FC- Intensity', s.fancy ? INTENSITIES[s.fancy.intensity] : ''],
      ['Cut Grade', s.cut ? LONG[s.cut] : ''],
      ['Location', COUNTRIES[s.country]],
      ['Image', s.image],
    ],
  },
  {
    name: 'MID House',
    cells: (s) => [
      ['VendorName', 'x'],
      ['Availability', 'Available'],
      ['StockName', s.stock],
      ['Certificate', certOf(s)],
      ['ParcelUnits', 1],
      ['Country', COUNTRIES[s.country]],
      ['Shape', CODES.words[s.shape]],
      ['Weight', s.weight],
      ['ColorFullName', colorOf(s)],
      ['Clarity', s.clarity],
      ['Lab', s.lab],
      ['Cut', s.cut],
      ['Polish', s.polish],
      ['Symmetry', s.symmetry],
      ['FluoresenceIntensity', s.fluorescence],
      ['Length', s.width],
      ['Width', s.length],
      ['Height', s.depth],
      ['Depth', s.depthPercent],
      ['Table', s.table],
      ['GirdleThick', GIRDLES[s.girdleThick]],
      ['GirdleThin', GIRDLES[s.girdleThin]],
      ['Culet', CULETS[s.culet]],
      ['ImageLink', s.image],
      ['Discount', -31],
      ['TotalPrice', total(s)],
      ['PricePerCarat', s.perCarat],
    ],
  },
  {
    name: 'Ritani',
    cells: (s) => [
      ['vendor_sku', s.stock],
      ['carat', s.weight],
      ['certificate_lab', s.lab],
      ['certificate_number', s.cert],
      ['shape', CODES.words[s.shape]],
      ['cost', total(s)],
      ['cost_per_carat', s.perCarat],
      ['clarity', s.clarity],
      [
        'color',
        s.fancy
          ? `F${{ FAN: '', INT: 'I', VIV: 'V', FLT: 'L' }[s.fancy.intensity]}${{ YL: 'Y', PN: 'PK', BL: 'BL' }[s.fancy.hue]}`
          : s.color,
      ],
      ['cut', s.cut],
      ['culet_size', s.culet],
      ['polish', s.polish],
      ['depth', s.depth],
      ['depth_percent', s.depthPercent],
      ['width', s.width],
      ['length', s.length],
      ['fluorescence', s.fluorescence],
      ['girdle_thin', s.girdleThin],
      ['girdle_thick', s.girdleThick],
      ['symmetry', s.symmetry],
      ['table_percent', s.table],
      ['country', s.country],
      ['days_to_ship', 5],
      ['lab_grown', s.isGrown ? 1 : 0],
      ['orig_primary_image_url', s.image],
    ],
  },
  {
    name: 'Amipi',
    cells: (s) => [
      ['SKU', s.stock],
      ['SHAPE', CODES.words[s.shape]],
      ['CARAT', s.weight],
      ['COLOR', colorOf(s)],
      ['CLARITY', s.clarity],
      ['GRADING REPORT', s.lab],
      ['CUT', s.cut],
      ['POLISH', s.polish],
      ['SYMMETRY', s.symmetry],
      ['FLUORESCENCE', s.fluorescence],
      ['DEPTH', s.depthPercent],
      ['TABLE', s.table],
      ['CASH PRICE', s.perCarat],
      ['CASH AMOUNT', total(s)],
      ['MEASUREMENTS', `${s.length}-${s.width}x${s.depth}`],
      ['GIRDLE FROM', s.girdleThin],
      ['GIRDLE TO', s.girdleThick],
      ['CULET', CULETS[s.culet]],
      ['CERTIFICATE', certOf(s)],
      ['DAYS TO SHIP', 3],
      ['COUNTRY', COUNTRIES[s.country]],
      ['IMAGE', s.image],
    ],
  },
]

/** What the draft of a stone must contain in every dialect. */
export function expectedDraft(stone: TradeStone) {
  const fancy = stone.fancy
  return {
    vendor_sku: stone.stock,
    product_type: 'diamond',
    type: stone.isGrown ? 'lab grown' : 'mined',
    shape: stone.shape,
    weight: stone.weight,
    length: stone.length,
    width: stone.width,
    depth: stone.depth,
    depth_percentage: stone.depthPercent,
    table_percentage: stone.table,
    color: fancy ? fancy.hue : stone.color,
    is_fancy: fancy !== null,
    fancy_color_intensity: fancy ? fancy.intensity : null,
    clarity: stone.clarity,
    cut_grade: stone.cut,
    polish_grade: stone.polish,
    symmetry_grade: stone.symmetry,
    fluorescence: stone.fluorescence,
    lab: stone.lab,
    girdle_min: stone.girdleThin,
    girdle_max: stone.girdleThick,
    culet_size: stone.culet,
    country_code: stone.country,
    cost: total(stone),
    image_top_url: stone.image,
  }
}

export interface TextStyle {
  delimiter: ',' | '\t' | ';' | '|'
  lineEnd: '\n' | '\r\n' | '\r'
  encoding: 'utf8' | 'utf8 with mark' | 'utf16le' | 'latin1'
  isGzipped: boolean
  isQuoted: boolean
  title: string
}

export const textStyle: fc.Arbitrary<TextStyle> = fc.record({
  delimiter: fc.constantFrom(',', '\t', ';', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom('utf8', 'utf8 with mark', 'utf16le', 'latin1'),
  isGzipped: fc.boolean(),
  isQuoted: fc.boolean(),
  title: fc.constantFrom('', 'Stock list of today', 'Müller & Söhne, Antwerp'),
})

export function asText(rows: Cells[], style: TextStyle): Buffer {
  const { delimiter, lineEnd, isQuoted, title } = style
  const quote = (text: string) =>
    isQuoted || text.includes(delimiter) || text.includes('"')
      ? `"${text.replaceAll('"', '""')}"`
      : text
  const lines = [
    rows[0].map(([column]) => quote(column)),
    ...rows.map((row) => row.map(([, value]) => quote(value === null ? '' : String(value)))),
  ]
  const text =
    (title === '' ? '' : quote(title) + lineEnd) +
    lines.map((cells) => cells.join(delimiter) + lineEnd).join('')
  const bytes =
    style.encoding === 'utf16le'
      ? Buffer.from(`\ufeff${text}`, 'utf16le')
      : style.encoding === 'latin1'
        ? Buffer.from(text, 'latin1')
        : Buffer.from(style.encoding === 'utf8 with mark' ? `\ufeff${text}` : text)
  return style.isGzipped ? gzipSync(bytes) : bytes
}

export type JsonStyle = 'array' | 'lines' | 'envelope'

export function asJson(rows: Cells[], style: JsonStyle): Buffer {
  const objects = rows.map((row) => Object.fromEntries(row.filter(([column]) => column !== '')))
  if (style === 'lines')
    return Buffer.from(objects.map((object) => JSON.stringify(object)).join('\n'))
  return Buffer.from(
    JSON.stringify(
      style === 'array'
        ? objects
        : { status: 'ok', response: { body: { total_found: objects.length, diamonds: objects } } },
    ),
  )
}
