import type { FlagName, RangeName } from '../search/query.ts'
import { BEST_VALUE } from '../search/sorts.ts'

/** The words of the trade as people type them, in English and German, and what they mean. */

/** Longer names come first, so that `half moon` is not read as a moon. */
export const SHAPE_WORDS: readonly [pattern: string, shape: string][] = [
  ['tapered baguettes?|tapers?|tb|konische[rsn]? baguettes?', 'tapered_baguette'],
  ['half[- ]?moons?|halbmonde?', 'half_moon'],
  ['square emeralds?|asschers?', 'asscher'],
  ['round brilliants?|rounds?|rbc?|rd|runde?[rsn]?|brillant(?:en)?', 'round'],
  ['ovals?|ov|ovale[rsn]?', 'oval'],
  ['cushions?|cu|kissen', 'cushion'],
  ['princess(?:es)?|prinzess(?:e|in)?', 'princess'],
  ['emeralds?|em|smaragde?', 'emerald'],
  ['pears?|ps|tear ?drops?|birnen?|tropfen', 'pear'],
  ['radiants?|rad', 'radiant'],
  ['marquises?|mq|navettes?', 'marquise'],
  ['hearts?|hs|herz(?:en)?', 'heart'],
  ['baguettes?|bg', 'baguette'],
  ['trillions?|trilliants?|triangles?|dreiecke?|trillante?n?', 'triangle'],
  ['briolettes?', 'briolette'],
  ['bullets?', 'bullets'],
  ['cal[fv]e?s?', 'calf'],
  ['hexagons?|sechsecke?', 'hexagon'],
  ['lozenges?|rhombs?|rauten?', 'lozenge'],
  ['octagons?|achtecke?', 'octagon'],
  ['rectangles?|rechtecke?', 'rectangle'],
  ['shields?|schilde?', 'shield'],
  ['trapezoids?|traps?|trapeze?', 'trapezoid'],
]

export const CUT_CODE_WORDS: readonly [pattern: string, code: string][] = [
  ['old[- ]mine(?:[- ](?:cut|schliff))?|omc', 'old_mine_cut'],
  ['(?:old )?european(?: cut)?|oec|(?:europäischer )?altschliff', 'european_cut'],
  ['rose(?:[- ]cut)?|rosen?schliff', 'rose_cut'],
  ['step[- ]cut|treppenschliff', 'step_cut'],
  ['brilliant(?:[- ]cut)?', 'brilliant_cut'],
  ['mirror[- ]cut|spiegelschliff', 'mirror_cut'],
  ['mixed[- ]cut|gemischter schliff', 'mixed_cut'],
  ['modified(?:[- ]cut)?', 'modified_cut'],
]

export const HUE_WORDS: readonly [pattern: string, hue: string][] = [
  ['black|schwarz(?:e[rsn]?)?', 'BK'],
  ['blue|blau(?:e[rsn]?)?', 'BL'],
  ['brown|braun(?:e[rsn]?)?', 'BN'],
  ['champagne|champagner', 'CH'],
  ['chameleon|chamäleon', 'CM'],
  ['cognac', 'CG'],
  ['gr[ae]y|grau(?:e[rsn]?)?', 'GY'],
  ['green|grün(?:e[rsn]?)?', 'GR'],
  ['orange[nrs]?', 'OR'],
  ['pink|rosa', 'PN'],
  ['purple|lila', 'PL'],
  ['red|rot(?:e[rsn]?)?', 'RD'],
  ['violet|violett(?:e[rsn]?)?', 'VL'],
  ['yellow|canary|gelb(?:e[rsn]?)?', 'YL'],
]

export const INTENSITY_WORDS: readonly [pattern: string, intensity: string][] = [
  ['fancy vivid|vivid', 'VIV'],
  ['(?:fancy )?(?:intense|intensiv(?:e[rsn]?)?)', 'INT'],
  ['fancy deep|deep', 'FDP'],
  ['(?:fancy )?(?:dark|dunk(?:el|le[rsn]?))', 'FDK'],
  ['fancy (?:light|hell)', 'FLT'],
  ['very light|sehr hell(?:e[rsn]?)?', 'VLT'],
  ['light|hell(?:e[rsn]?)?', 'LIT'],
]

export const FLUORESCENCE_WORDS: readonly [pattern: string, value: string][] = [
  ['very strong|sehr stark(?:e[rsn]?)?', 'Very Strong'],
  ['very slight|sehr (?:leicht|gering)(?:e[rsn]?)?', 'Very Slight'],
  ['strong|stb?|stark(?:e[rsn]?)?', 'Strong'],
  ['medium|mb|mittel|mittlere[rsn]?', 'Medium'],
  ['faint|fb|schwach(?:e[rsn]?)?', 'Faint'],
  ['slight|(?:leicht|gering)(?:e[rsn]?)?', 'Slight'],
  ['none|no|non|nil|without|keine?|ohne', 'None'],
]

/** Grades of cut, polish and symmetry, from best to worst, as words and as codes. */
export const GRADE_WORDS: readonly [grade: string, words: string, codes: string][] = [
  ['IDL', 'ideal|idl', 'id|i'],
  ['EX', 'excellent|exc?|(?:exzellent|ausgezeichnet|hervorragend)(?:e[rsn]?)?', 'x'],
  ['VG', 'very good|vg|sehr gut(?:e[rsn]?)?', 'v'],
  ['G', 'good|gd|gut(?:e[rsn]?)?', 'g'],
  ['F', 'fair|fr|mittelmäßig(?:e[rsn]?)?', 'f'],
  ['P', 'poor|schlecht(?:e[rsn]?)?', 'p'],
]

export const FLAG_WORDS: readonly [pattern: string, flag: FlagName][] = [
  ['(?:with |has |mit )?(?:a )?(?:videos?|films?)', 'has_video'],
  ['(?:with |has |mit )?(?:a )?(?:360(?: ?°| ?grad)?|v360)(?:[- ](?:views?|ansicht))?', 'has_v360'],
  [
    '(?:with |has |mit )?(?:a )?(?:pictures?|images?|photos?|pics?|bild(?:ern)?|fotos?)',
    'has_image',
  ],
  ['(?:with |has )?media|(?:mit )?medien', 'has_media'],
  ['(?:on |auf )?memo|(?:auf )?kommission', 'memo'],
  ['returnable|with returns?|(?:mit )?rückgabe(?:recht)?', 'returnable'],
  ['sustainable|nachhaltig(?:e[rsn]?)?', 'is_sustainable'],
  ['not (?:on hold|held)|available(?: now)?|nicht reserviert|verfügbar(?:e[rsn]?)?', 'available'],
]

export const SORT_WORDS: readonly [pattern: string, sort: string, order: 'asc' | 'desc'][] = [
  ['cheapest(?: first)?|lowest price|(?:günstigste|billigste)[rsn]?', 'retail_price', 'asc'],
  ['most expensive|highest price|dearest|teuerste[rsn]?', 'retail_price', 'desc'],
  ['best (?:value|deals?|price)|beste[rsn]? (?:preis|wert)|preiswerteste[rsn]?', BEST_VALUE, 'asc'],
  ['largest|biggest|heaviest|(?:größte|schwerste)[rsn]?', 'weight', 'desc'],
  ['smallest|lightest|(?:kleinste|leichteste)[rsn]?', 'weight', 'asc'],
  ['newest|latest|neue?ste[rsn]?', 'created_on', 'desc'],
  ['fastest(?: delivery)?|soonest|schnellste(?: lieferung)?', 'delivery_days_max', 'asc'],
]

/** What a number belongs to when it is named before it. */
export const RANGE_WORDS: readonly [pattern: string, name: RangeName][] = [
  ['ratio|l/w|lw|l:w|(?:seiten|längen)?verhältnis|l/b|l:b', 'ratio'],
  ['table|tbl|tafel', 'table_percentage'],
  ['depth|total depth|(?:gesamt)?tiefe', 'depth_percentage'],
  ['crown(?: angle)?|kronenwinkel|krone', 'crown_angle'],
  ['pavilion(?: angle)?|pav|pavillon(?:winkel)?', 'pavilion_angle'],
  ['length|länge', 'length'],
  ['width|breite', 'width'],
  ['delivery|deliver(?:ed|able)?|ships?|liefer(?:ung|zeit|bar)', 'delivery_days'],
  ['weight|carats?|size|gewicht|karat', 'weight'],
  ['wholesale|cost|einkauf(?:spreis)?|ek', 'wholesale_price'],
  ['price|retail|budget|(?:verkaufs)?preis|vk', 'retail_price'],
]

/** Words without a meaning for the search. */
export const SILENT_WORDS =
  "i want|i need|i am|i'm|i’m|looking|show|find|search|me|please|a|an|the|of|for|with|" +
  'and|or|in|is|are|stones?|diamonds?|loose|cuts?|colou?rs?|clarity|shapes?|shaped|' +
  'grades?|graded|certified|certificates?|certs?|only|any|some|natural color|fancy shapes?|' +
  'ein|eine[mnrs]?|der|die|das|de[mn]|mit|und|oder|von|vom|für|im|zum?|zur|ich|wir|' +
  '(?:suche?n?|möchten?|brauchen?|zeigen?|finden?)(?: sie)?|mir|uns|bitte|nur|auch|alle|' +
  '(?:edel)?steine?n?|diamant(?:en?|s)?|lose[rsn]?|farben?|reinheit|schliff|form|qualität|' +
  'zertifikate?|zertifiziert(?:e[rsn]?)?|geschliffen(?:e[rsn]?)?'
