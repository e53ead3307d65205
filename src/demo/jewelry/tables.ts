import { sharesOf } from '../chance.ts'

/** The constants of the demo's jewelry and watches: names, shares and costs. */

export const COLLECTIONS = [
  'Tidewater',
  'Meadowline',
  'Lanternlight',
  'Harbour',
  'Fernway',
  'Aurora',
  'Willowmere',
  'Saltmarsh',
  'Copperfield',
  'Nocturne',
  'Larkrise',
  'Étoile',
] as const

/** US dollars per gram, including the work. */
export const METAL_PRICES = {
  'sterling silver': 6,
  '14k yellow gold': 62,
  '14k white gold': 64,
  '14k rose gold': 63,
  '18k yellow gold': 81,
  '18k white gold': 84,
  'platinum 950': 96,
} as const
export type Metal = keyof typeof METAL_PRICES

export const METAL_SHARES = sharesOf<Metal>({
  '14k yellow gold': 22,
  '14k white gold': 20,
  '14k rose gold': 10,
  '18k yellow gold': 16,
  '18k white gold': 14,
  'platinum 950': 8,
  'sterling silver': 10,
})

/** US dollars per carat of the main stone. */
export const STONE_PRICES = {
  diamond: 1900,
  'lab grown diamond': 420,
  sapphire: 640,
  ruby: 820,
  emerald: 760,
  aquamarine: 180,
  tanzanite: 260,
  pearl: 60,
  moissanite: 90,
} as const
type Stone = keyof typeof STONE_PRICES

export const STONE_SHARES = sharesOf<Stone>({
  diamond: 34,
  'lab grown diamond': 22,
  sapphire: 12,
  ruby: 7,
  emerald: 7,
  aquamarine: 5,
  tanzanite: 4,
  pearl: 6,
  moissanite: 5,
})

export const STONE_SHAPES = sharesOf({
  round: 46,
  oval: 18,
  pear: 9,
  emerald: 9,
  cushion: 9,
  princess: 6,
  marquise: 3,
})

export interface Kind {
  jewelry_type: 'ring' | 'earrings' | 'necklace' | 'bracelet' | 'pendant'
  sub_type_key: string
  /** Sub types with the noun of their titles, and whether they have a stone. */
  sub_types: readonly [subType: string, noun: string, hasStone: boolean][]
  count: number
  grams: [min: number, max: number]
  metals: [min: number, max: number]
  /** The option besides the metal, if there is one. */
  sized: { key: string; values: readonly string[]; count: [min: number, max: number] } | null
}

const RING_SIZES = ['4.5', '5', '5.5', '6', '6.5', '7', '7.5', '8', '8.5', '9']

export const KINDS: readonly Kind[] = [
  {
    jewelry_type: 'ring',
    sub_type_key: 'ring_sub_type',
    sub_types: [
      ['engagement', 'solitaire ring', true],
      ['halo', 'halo ring', true],
      ['three stone', 'three stone ring', true],
      ['eternity', 'eternity ring', true],
      ['wedding band', 'wedding band', false],
      ['cocktail', 'cocktail ring', true],
      ['signet', 'signet ring', false],
    ],
    count: 180,
    grams: [2.2, 7.5],
    metals: [2, 3],
    sized: { key: 'size', values: RING_SIZES, count: [2, 3] },
  },
  {
    jewelry_type: 'earrings',
    sub_type_key: 'earring_sub_type',
    sub_types: [
      ['stud', 'stud earrings', true],
      ['hoop', 'hoop earrings', false],
      ['drop', 'drop earrings', true],
      ['huggie', 'huggie earrings', true],
    ],
    count: 120,
    grams: [1.2, 6],
    metals: [2, 4],
    sized: null,
  },
  {
    jewelry_type: 'necklace',
    sub_type_key: 'necklace_sub_type',
    sub_types: [
      ['chain', 'chain necklace', false],
      ['tennis', 'tennis necklace', true],
      ['choker', 'choker', false],
      ['station', 'station necklace', true],
    ],
    count: 70,
    grams: [3.5, 18],
    metals: [2, 2],
    sized: { key: 'length', values: ['14 in', '16 in', '18 in', '20 in'], count: [2, 2] },
  },
  {
    jewelry_type: 'bracelet',
    sub_type_key: 'bracelet_sub_type',
    sub_types: [
      ['tennis', 'tennis bracelet', true],
      ['bangle', 'bangle', false],
      ['chain', 'chain bracelet', false],
      ['cuff', 'cuff', true],
    ],
    count: 70,
    grams: [4, 20],
    metals: [2, 2],
    sized: { key: 'length', values: ['6 in', '6.5 in', '7 in', '7.5 in'], count: [2, 2] },
  },
  {
    jewelry_type: 'pendant',
    sub_type_key: 'pendant_sub_type',
    sub_types: [
      ['solitaire', 'solitaire pendant', true],
      ['halo', 'halo pendant', true],
      ['locket', 'locket', false],
      ['cross', 'cross pendant', false],
    ],
    count: 80,
    grams: [1.4, 5],
    metals: [2, 4],
    sized: null,
  },
]

export const WATCH_COUNT = 80
export const WATCH_TYPES = [
  ['dress', 'dress watch'],
  ['diver', 'diver watch'],
  ['chronograph', 'chronograph'],
  ['field', 'field watch'],
  ['jewelry watch', 'jewelry watch'],
] as const
export const CASE_PRICES = {
  'stainless steel': 210,
  titanium: 380,
  '18k yellow gold': 3900,
  '18k rose gold': 3950,
} as const
export type CaseMetal = keyof typeof CASE_PRICES
export const CASE_SHARES = sharesOf<CaseMetal>({
  'stainless steel': 62,
  titanium: 16,
  '18k yellow gold': 12,
  '18k rose gold': 10,
})
export const MOVEMENT_PRICES = { quartz: 40, automatic: 260, 'manual winding': 340 } as const
export const MOVEMENT_SHARES = sharesOf<keyof typeof MOVEMENT_PRICES>({
  quartz: 45,
  automatic: 45,
  'manual winding': 10,
})
export const STRAPS = ['leather', 'steel bracelet', 'rubber', 'textile'] as const
export const DIALS = ['white', 'black', 'blue', 'green', 'silver', 'champagne'] as const
export const CASE_SIZES = ['28 mm', '32 mm', '36 mm', '38 mm', '40 mm', '42 mm'] as const
