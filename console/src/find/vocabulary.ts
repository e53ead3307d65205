import type { FlagName, RangeName } from '../search/query.ts'

/** The words of the trade as people type them, in English and German, and what they mean. */

/** Longer names come first, so that `half moon` is not read as a moon. */
export const SHAPE_WORDS: readonly [pattern: string, shape: string][] = [
  ['tapered baguettes?|tapers?|tb', 'tapered_baguette'],
  ['half[- ]?moons?|halbmonde?', 'half_moon'],
  ['square emeralds?|asschers?', 'asscher'],
  ['round brilliants?|rounds?|rbc?|rd|runde?[rsn]?', 'round'],
  ['ovals?|ov|ovale[rsn]?', 'oval'],
  ['cushions?|cu|kissen', 'cushion'],
  ['princess(?:es)?|prinzess', 'princess'],
  ['emeralds?|em|smaragd(?:schliff)?', 'emerald'],
  ['pears?|ps|tear ?drops?|birnen?|tropfen', 'pear'],
  ['radiants?|rad', 'radiant'],
  ['marquises?|mq|navettes?', 'marquise'],
  ['hearts?|hs|herz(?:en)?', 'heart'],
  ['baguettes?|bg', 'baguette'],
  ['trillions?|trilliants?|triangles?|dreiecke?', 'triangle'],
  ['briolettes?', 'briolette'],
  ['bullets?', 'bullets'],
  ['cal[fv]e?s?', 'calf'],
  ['hexagons?', 'hexagon'],
  ['lozenges?|rhombs?', 'lozenge'],
  ['octagons?', 'octagon'],
  ['rectangles?', 'rectangle'],
  ['shields?', 'shield'],
  ['trapezoids?|traps?', 'trapezoid'],
]

export const CUT_CODE_WORDS: readonly [pattern: string, code: string][] = [
  ['old[- ]mine(?: cut)?|omc', 'old_mine_cut'],
  ['(?:old )?european(?: cut)?|oec', 'european_cut'],
  ['rose(?:[- ]cut)?', 'rose_cut'],
  ['step[- ]cut', 'step_cut'],
  ['brilliant(?:[- ]cut)?', 'brilliant_cut'],
  ['mirror[- ]cut', 'mirror_cut'],
  ['mixed[- ]cut', 'mixed_cut'],
  ['modified(?:[- ]cut)?', 'modified_cut'],
]

export const HUE_WORDS: readonly [pattern: string, hue: string][] = [
  ['black|schwarz', 'BK'],
  ['blue|blau', 'BL'],
  ['brown|braun', 'BN'],
  ['champagne|champagner', 'CH'],
  ['chameleon', 'CM'],
  ['cognac', 'CG'],
  ['gr[ae]y|grau', 'GY'],
  ['green|grün', 'GR'],
  ['orange', 'OR'],
  ['pink|rosa', 'PN'],
  ['purple|lila', 'PL'],
  ['red|rot', 'RD'],
  ['violet|violett', 'VL'],
  ['yellow|canary|gelb', 'YL'],
]

export const INTENSITY_WORDS: readonly [pattern: string, intensity: string][] = [
  ['fancy vivid|vivid', 'VIV'],
  ['fancy intense|intense|intensiv', 'INT'],
  ['fancy deep|deep', 'FDP'],
  ['fancy dark|dark', 'FDK'],
  ['fancy light', 'FLT'],
  ['very light', 'VLT'],
  ['light', 'LIT'],
]

export const FLUORESCENCE_WORDS: readonly [pattern: string, value: string][] = [
  ['very strong', 'Very Strong'],
  ['very slight', 'Very Slight'],
  ['strong|stb?|stark', 'Strong'],
  ['medium|mb|mittel', 'Medium'],
  ['faint|fb|schwach', 'Faint'],
  ['slight|leicht', 'Slight'],
  ['none|no|non|nil|without|keine?|ohne', 'None'],
]

/** Grades of cut, polish and symmetry, from best to worst, as words and as codes. */
export const GRADE_WORDS: readonly [grade: string, words: string, codes: string][] = [
  ['IDL', 'ideal|idl', 'id|i'],
  ['EX', 'excellent|exc?|exzellent', 'x'],
  ['VG', 'very good|vg|sehr gut', 'v'],
  ['G', 'good|gd|gut', 'g'],
  ['F', 'fair|fr', 'f'],
  ['P', 'poor', 'p'],
]

export const FLAG_WORDS: readonly [pattern: string, flag: FlagName][] = [
  ['(?:with |has )?(?:a )?(?:videos?|films?)', 'has_video'],
  ['(?:with |has )?(?:a )?(?:360(?: ?°)?|v360)(?: views?)?', 'has_v360'],
  ['(?:with |has |mit )?(?:a )?(?:pictures?|images?|photos?|pics?|bild(?:ern)?)', 'has_image'],
  ['(?:with |has )?media', 'has_media'],
  ['(?:on |auf )?memo', 'memo'],
  ['returnable|with returns?', 'returnable'],
  ['sustainable|nachhaltig', 'is_sustainable'],
  ['not (?:on hold|held)|available(?: now)?|verfügbar', 'available'],
]

export const SORT_WORDS: readonly [pattern: string, sort: string, order: 'asc' | 'desc'][] = [
  ['cheapest(?: first)?|lowest price|günstigste', 'retail_price', 'asc'],
  ['most expensive|highest price|dearest', 'retail_price', 'desc'],
  ['best (?:value|deals?|price)', 'price_per_carat', 'asc'],
  ['largest|biggest|heaviest|größte', 'weight', 'desc'],
  ['smallest|lightest|kleinste', 'weight', 'asc'],
  ['newest|latest|neueste', 'created_on', 'desc'],
  ['fastest(?: delivery)?|soonest', 'delivery_days_max', 'asc'],
]

/** What a number belongs to when it is named before it. */
export const RANGE_WORDS: readonly [pattern: string, name: RangeName][] = [
  ['ratio|l/w|lw|l:w|verhältnis', 'ratio'],
  ['table|tbl|tafel', 'table_percentage'],
  ['depth|total depth|tiefe', 'depth_percentage'],
  ['crown(?: angle)?', 'crown_angle'],
  ['pavilion(?: angle)?|pav', 'pavilion_angle'],
  ['length|länge', 'length'],
  ['width|breite', 'width'],
  ['delivery|deliver(?:ed|able)?|ships?|lieferung', 'delivery_days'],
  ['weight|carats?|size|gewicht', 'weight'],
  ['wholesale|cost|einkauf', 'wholesale_price'],
  ['price|retail|budget|preis', 'retail_price'],
]

/** Words without a meaning for the search. */
export const SILENT_WORDS =
  "i want|i need|i am|i'm|i’m|looking|show|find|search|me|please|a|an|the|of|for|with|" +
  'and|or|in|is|are|stones?|diamonds?|loose|cuts?|colou?rs?|clarity|shapes?|shaped|' +
  'grades?|graded|certified|certificates?|certs?|only|any|some|natural color|fancy shapes?|' +
  'ein|eine[nrs]?|der|die|das|mit|und|oder|von|für|diamant(?:en)?|steine?|farbe|reinheit|schliff'
