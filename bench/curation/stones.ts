import {
  CLARITIES,
  COLORS,
  FANCY_INTENSITIES,
  FINISH_GRADES,
  FLUORESCENCES,
  GIRDLES,
  HUES,
  LABS,
  SHAPES,
} from '../../src/reference/attributes.ts'

/** A stone with the columns of the gem table that a search reads; the others have defaults. */
export type BenchStone = Record<string, string | number | boolean | null>

/** A fast seeded generator whose quality is sufficient for a market: mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Shares of the shapes in a trader's stock; the remainder is spread over all shapes. */
const SHAPE_SHARES: [string, number][] = [
  ['round', 0.42],
  ['oval', 0.15],
  ['cushion', 0.08],
  ['emerald', 0.08],
  ['pear', 0.08],
  ['radiant', 0.06],
  ['princess', 0.05],
  ['marquise', 0.04],
]
const STEP_CUTS = new Set(['emerald', 'asscher', 'baguette', 'tapered_baguette'])

/** Stone number n of the market that a seed gives. */
export function benchStone(n: number, random: () => number): BenchStone {
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]
  const lean = <T>(values: readonly T[]) => values[Math.floor(random() ** 1.6 * values.length)]
  const shape = shapeOf(random)
  const lab = random() < 0.55
  const carats = weightOf(random)
  const fancy = random() < 0.03
  const color = fancy ? pick(HUES) : lean(COLORS.slice(0, 14))
  const clarity = lean(CLARITIES.slice(1, 10))
  const quality = 1.6 - 0.06 * COLORS.indexOf(color as never) - 0.07 * CLARITIES.indexOf(clarity)
  const perCarat = (lab ? 420 : 2_600) * carats ** (lab ? 0.25 : 0.9) * Math.max(0.25, quality)
  const cost = Math.max(20, perCarat * carats * (0.8 + 0.4 * random()) * (fancy ? 2 : 1))
  const length = 6.4 * Math.cbrt(carats) * (1 + 0.2 * random())
  const ratio = shape === 'round' ? 1 + 0.02 * random() : 1 + 0.7 * random()
  const markups = [1.04, 1.05, 1.06, 1.08]
  const markup = pick(markups)
  const finish = () => lean(FINISH_GRADES.slice(0, 4))
  const media = random() < 0.8
  const days = 2 + Math.floor(random() * 6)
  return {
    sku: `B${String(n).padStart(8, '0')}`,
    vendor_sku: String(n),
    product_type: 'diamond',
    type: lab ? 'lab grown' : 'mined',
    shape,
    cut_code: STEP_CUTS.has(shape) ? 'step_cut' : 'brilliant_cut',
    weight: carats.toFixed(2),
    length: length.toFixed(2),
    width: (length / ratio).toFixed(2),
    depth: (length * 0.61).toFixed(2),
    ratio: ratio.toFixed(3),
    depth_percentage: (57 + 10 * random()).toFixed(1),
    table_percentage: (53 + 14 * random()).toFixed(1),
    crown_angle: random() < 0.7 ? (32 + 5 * random()).toFixed(1) : null,
    pavilion_angle: random() < 0.7 ? (40 + 2 * random()).toFixed(1) : null,
    girdle_min: pick(GIRDLES),
    girdle_max: pick(GIRDLES),
    culet_size: random() < 0.9 ? 'N' : null,
    color,
    clarity,
    is_fancy: fancy,
    fancy_color_intensity: fancy ? pick(FANCY_INTENSITIES) : null,
    overtone: fancy && random() < 0.5 ? pick(['brownish', 'greenish', 'pinkish']) : null,
    cut_grade: shape === 'round' ? lean(['IDL', 'EX', 'VG', 'G']) : null,
    polish_grade: finish(),
    symmetry_grade: finish(),
    fluorescence: random() < 0.6 ? 'None' : pick(FLUORESCENCES),
    eye_clean: random() < 0.7 ? 'yes' : null,
    grow_method: lab ? pick(['CVD', 'HPHT']) : null,
    lab: random() < 0.93 ? pick(LABS) : null,
    cert_num: random() < 0.93 ? String(100_000_000 + n * 7) : null,
    country_code: pick(['IND', 'BEL', 'USA', 'ISR', 'HKG', 'ARE']),
    cost: cost.toFixed(2),
    list_price: lab ? null : (cost * (1.2 + random())).toFixed(2),
    wholesale_price: (cost * markup).toFixed(2),
    wholesale_price_us: (cost * (markup + 0.01 * Math.floor(random() * 4))).toFixed(2),
    memo: random() < 0.3,
    returnable: random() < 0.9,
    is_sustainable: lab ? random() < 0.2 : null,
    delivery_days_min: days,
    delivery_days_max: days + 1 + Math.floor(random() * 5),
    image_top_url: media ? `https://media.example/${n}/top.jpg` : null,
    video_url: media && random() < 0.5 ? `https://media.example/${n}/film.mp4` : null,
  }
}

function shapeOf(random: () => number): string {
  const share = random()
  let sum = 0
  const common = SHAPE_SHARES.find(([, part]) => {
    sum += part
    return share < sum
  })
  return common?.[0] ?? SHAPES[Math.floor(random() * SHAPES.length)]
}

/** Most weights lie just above the round numbers that buyers ask for. */
function weightOf(random: () => number): number {
  const anchors = [0.3, 0.3, 0.4, 0.5, 0.5, 0.7, 0.9, 1, 1, 1, 1.2, 1.5, 1.5, 2, 2, 3]
  const anchor = anchors[Math.floor(random() * anchors.length)]
  return random() < 0.7 ? anchor * (1 + 0.12 * random() ** 2) : 0.18 + 4.5 * random() ** 2.5
}
