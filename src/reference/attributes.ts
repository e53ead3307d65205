/**
 * The attribute lists of the trade, in the order of the gem attributes endpoint. Grades are listed
 * from best to worst, so the position of a value is its rank. Request schemas, SQL checks (a test
 * compares them), feeds and sort orders all use these lists.
 */
export const CLARITIES = [
  'FL',
  'IF',
  'VVS1',
  'VVS2',
  'VS1',
  'VS2',
  'SI1',
  'SI2',
  'I1',
  'I2',
  'I3',
] as const

// biome-ignore format: a scale reads best on few lines
export const COLORS = [
  'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'OP', 'P', 'Q', 'QR', 'R', 'S',
  'ST', 'T', 'U', 'UV', 'V', 'W', 'WX', 'X', 'Y', 'YZ', 'Z',
] as const

/** Hues of fancy coloured stones, which are the values of `color` when `is_fancy` is true. */
// biome-ignore format: a scale reads best on few lines
export const HUES = [
  'BK', 'BL', 'BN', 'CH', 'CM', 'CG', 'GY', 'GR', 'OR', 'PN', 'PL', 'RD', 'VL', 'YL', 'WH', 'OT',
] as const

// biome-ignore format: a scale reads best on few lines
export const FANCY_INTENSITIES = [
  'FAN', 'FDK', 'FDP', 'FLT', 'FNT', 'INT', 'LIT', 'VIV', 'VLT',
] as const

// biome-ignore format: a scale reads best on few lines
export const CUT_CODES = [
  'rose_cut', 'brilliant_cut', 'step_cut', 'mirror_cut', 'european_cut', 'old_mine_cut',
  'mixed_cut', 'modified_cut',
] as const

export const CUT_GRADES = ['IDL', 'EX', 'VG', 'G', 'F', 'P'] as const

/** The scale of polish and symmetry. */
export const FINISH_GRADES = ['EX', 'VG', 'G', 'F', 'P'] as const

// biome-ignore format: a scale reads best on few lines
export const FLUORESCENCES = [
  'Very Strong', 'Strong', 'Medium', 'Faint', 'Slight', 'Very Slight', 'None',
] as const

export const LABS = ['GIA', 'GCAL', 'IGI'] as const

// biome-ignore format: a scale reads best on few lines
export const SHAPES = [
  'asscher', 'baguette', 'briolette', 'bullets', 'calf', 'cushion', 'emerald', 'half_moon',
  'heart', 'hexagon', 'lozenge', 'marquise', 'octagon', 'oval', 'pear', 'princess', 'radiant',
  'rectangle', 'round', 'shield', 'tapered_baguette', 'trapezoid', 'triangle',
] as const

/**
 * The gemstones of the trade. A feed may name others, which keep their own names; what it calls by
 * a variety, another language or a color has one of these, so that one filter finds all of them.
 */
// biome-ignore format: a list of names reads best on few lines
export const GEM_SPECIES = [
  'alexandrite', 'amber', 'amethyst', 'ametrine', 'andalusite', 'apatite', 'aquamarine',
  'benitoite', 'beryl', 'chalcedony', 'chrysoberyl', 'citrine', 'coral', 'danburite', 'diopside',
  'emerald', 'feldspar', 'fluorite', 'garnet', 'hauyne', 'iolite', 'jade', 'kornerupine',
  'kunzite', 'kyanite', 'lapis lazuli', 'malachite', 'moonstone', 'morganite', 'obsidian', 'onyx',
  'opal', 'pearl', 'peridot', 'quartz', 'ruby', 'sapphire', 'scapolite', 'sphene', 'spinel',
  'sunstone', 'taaffeite', 'tanzanite', 'topaz', 'tourmaline', 'turquoise', 'zircon',
] as const

export const GEM_TYPES = ['mined', 'lab grown'] as const

/** From thick to thin. */
export const GIRDLES = ['XTK', 'VTK', 'TK', 'STK', 'MD', 'TN', 'VTN', 'ETN'] as const

export const CULETS = ['N', 'VS', 'S', 'M', 'SL', 'L', 'VL', 'EL'] as const

export type Clarity = (typeof CLARITIES)[number]
export type Color = (typeof COLORS)[number]
export type Hue = (typeof HUES)[number]
export type FancyIntensity = (typeof FANCY_INTENSITIES)[number]
export type CutCode = (typeof CUT_CODES)[number]
export type CutGrade = (typeof CUT_GRADES)[number]
export type FinishGrade = (typeof FINISH_GRADES)[number]
export type Fluorescence = (typeof FLUORESCENCES)[number]
export type Lab = (typeof LABS)[number]
export type Shape = (typeof SHAPES)[number]
export type GemSpecies = (typeof GEM_SPECIES)[number]
export type GemType = (typeof GEM_TYPES)[number]
export type Girdle = (typeof GIRDLES)[number]
export type Culet = (typeof CULETS)[number]

/** The response of the gem attributes endpoint. `null`: a stone may lack the attribute. */
export const GEM_ATTRIBUTES = {
  clarity: CLARITIES,
  color: COLORS,
  cut_code: CUT_CODES,
  cut_grade: [...CUT_GRADES, null],
  fluorescence: [...FLUORESCENCES, null],
  lab: [...LABS, null],
  polish_grade: FINISH_GRADES,
  shape: SHAPES,
  symmetry_grade: FINISH_GRADES,
  type: GEM_TYPES,
} as const

const SQUARE = { ratio_max: 1.054, ratio_min: 1 }

/** Length to width ratios by shape, for its square and its rectangular form. */
export const GEM_RATIOS = {
  asscher: { square: SQUARE },
  cushion: { rectangular: { ratio_max: 1.2, ratio_min: 1.1 }, square: SQUARE },
  emerald: { rectangular: { ratio_max: 1.55, ratio_min: 1.3 } },
  marquise: { rectangular: { ratio_max: 2, ratio_min: 1.9 } },
  oval: { rectangular: { ratio_max: 1.55, ratio_min: 1.35 } },
  pear: { rectangular: { ratio_max: 1.6, ratio_min: 1.45 } },
  princess: { square: SQUARE },
  radiant: { rectangular: { ratio_max: 1.55, ratio_min: 1.3 } },
} as const
