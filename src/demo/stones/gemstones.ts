import { demoPictureName } from '../../pictures/demo-names.ts'
import type { CutCode, Shape } from '../../reference/attributes.ts'
import { choices, rounded, sharesOf } from '../chance.ts'
import { MAKES, sizeOf } from './diamond-measurements.ts'
import { type DemoContext, type DemoGem, gemFrom, nextVendorSku, offerFrom } from './gem.ts'
import { certificateUrl, mediaOf } from './media.ts'

interface Species {
  species: string
  share: number
  colors: string[]
  origins: string[]
  treatments: string[]
  /** US dollars per carat at one carat, untreated. */
  per_carat: number
  /** The weight relative to a diamond of the same size. */
  density: number
  is_grown_too: boolean
}

const SPECIES: Species[] = [
  {
    species: 'sapphire',
    share: 30,
    colors: ['blue', 'pink', 'yellow', 'teal', 'padparadscha', 'white'],
    origins: ['Sri Lanka', 'Madagascar', 'Thailand', 'Australia', 'United States'],
    treatments: ['heated', 'heated', 'heated', 'none'],
    per_carat: 1400,
    density: 1.13,
    is_grown_too: true,
  },
  {
    species: 'ruby',
    share: 14,
    colors: ['red', 'purplish red'],
    origins: ['Mozambique', 'Myanmar', 'Thailand'],
    treatments: ['heated', 'heated', 'none'],
    per_carat: 2600,
    density: 1.13,
    is_grown_too: true,
  },
  {
    species: 'emerald',
    share: 16,
    colors: ['green', 'bluish green'],
    origins: ['Colombia', 'Zambia', 'Brazil', 'Ethiopia'],
    treatments: ['minor oil', 'moderate oil', 'none'],
    per_carat: 1900,
    density: 0.77,
    is_grown_too: true,
  },
  {
    species: 'spinel',
    share: 7,
    colors: ['red', 'pink', 'grey', 'blue'],
    origins: ['Myanmar', 'Tanzania', 'Vietnam'],
    treatments: ['none'],
    per_carat: 900,
    density: 1.02,
    is_grown_too: false,
  },
  {
    species: 'tanzanite',
    share: 6,
    colors: ['violetish blue'],
    origins: ['Tanzania'],
    treatments: ['heated'],
    per_carat: 380,
    density: 0.95,
    is_grown_too: false,
  },
  {
    species: 'aquamarine',
    share: 6,
    colors: ['light blue', 'blue'],
    origins: ['Brazil', 'Mozambique', 'Pakistan'],
    treatments: ['heated', 'none'],
    per_carat: 210,
    density: 0.77,
    is_grown_too: false,
  },
  {
    species: 'tourmaline',
    share: 6,
    colors: ['green', 'pink', 'teal'],
    origins: ['Brazil', 'Nigeria', 'Mozambique'],
    treatments: ['none', 'heated'],
    per_carat: 260,
    density: 0.87,
    is_grown_too: false,
  },
  {
    species: 'garnet',
    share: 5,
    colors: ['green', 'red', 'orange'],
    origins: ['Kenya', 'Tanzania', 'Namibia'],
    treatments: ['none'],
    per_carat: 320,
    density: 1.04,
    is_grown_too: false,
  },
  {
    species: 'morganite',
    share: 4,
    colors: ['peach', 'pink'],
    origins: ['Brazil', 'Madagascar'],
    treatments: ['heated'],
    per_carat: 140,
    density: 0.77,
    is_grown_too: false,
  },
  {
    species: 'alexandrite',
    share: 2,
    colors: ['green to red'],
    origins: ['Brazil', 'Sri Lanka'],
    treatments: ['none'],
    per_carat: 5200,
    density: 1.06,
    is_grown_too: true,
  },
  {
    species: 'amethyst',
    share: 2,
    colors: ['purple'],
    origins: ['Brazil', 'Zambia'],
    treatments: ['none', 'heated'],
    per_carat: 22,
    density: 0.75,
    is_grown_too: false,
  },
  {
    species: 'peridot',
    share: 2,
    colors: ['yellowish green'],
    origins: ['Pakistan', 'China'],
    treatments: ['none'],
    per_carat: 70,
    density: 0.95,
    is_grown_too: false,
  },
]
const SPECIES_SHARES = choices(SPECIES.map((species) => [species, species.share] as const))

const CUTS = choices<[Shape, CutCode]>([
  [['oval', 'mixed_cut'], 38],
  [['cushion', 'mixed_cut'], 18],
  [['round', 'brilliant_cut'], 16],
  [['emerald', 'step_cut'], 13],
  [['pear', 'mixed_cut'], 9],
  [['heart', 'mixed_cut'], 2],
  [['marquise', 'mixed_cut'], 2],
  [['asscher', 'step_cut'], 2],
])

const LABS = sharesOf<'GIA' | 'IGI' | 'none'>({ GIA: 34, IGI: 22, none: 44 })

export function* drawGemstones(context: DemoContext, count: number): Generator<DemoGem> {
  for (let drawn = 0; drawn < count; drawn++) yield drawGemstone(context)
}

function drawGemstone(context: DemoContext): DemoGem {
  const { chance, suppliers, publicUrl } = context
  const { species, colors, origins, treatments, per_carat, density, is_grown_too } =
    chance.pick(SPECIES_SHARES)
  const isGrown = is_grown_too && chance.hits(0.15)
  const [shape, cutCode] = chance.pick(CUTS)
  const color = chance.oneOf(colors)
  const treatment = isGrown ? 'none' : chance.oneOf(treatments)
  const weight = rounded(0.4 + chance.decaying(1.3), 2)
  const size = drawSize(context, shape, weight / density)
  const lab = chance.pick(LABS)
  const seller = chance.hits(0.6) ? suppliers[suppliers.length - 1] : chance.oneOf(suppliers)
  const perCarat = per_carat * weight ** 0.45 * (isGrown ? 0.08 : treatment === 'none' ? 1.5 : 1)
  const cost = perCarat * weight * chance.around(1, 0.15)
  const vendorSku = `G${nextVendorSku(context, seller)}`
  const name = demoPictureName(shape, size.ratio, color)
  const media = chance.hits(0.8) ? (chance.hits(0.4) ? 3 : 1) : 0
  return gemFrom(offerFrom(context, seller, vendorSku, cost), {
    product_type: 'gemstone',
    type: isGrown ? 'lab grown' : 'mined',
    species,
    color,
    treatment,
    origin: isGrown ? null : chance.oneOf(origins),
    shape,
    cut_code: cutCode,
    weight,
    ...size,
    eye_clean: chance.hits(0.75) ? 'yes' : 'borderline',
    ...certificateOf(context, lab),
    ...mediaOf(publicUrl, name, media),
  })
}

function drawSize({ chance }: DemoContext, shape: Shape, diamondWeight: number) {
  const { density, ratio, depth } = MAKES[shape]
  const wantedRatio = Math.max(1, chance.around(...ratio))
  const wantedDepth = chance.around(...depth)
  const exactWidth = Math.cbrt(diamondWeight / density / (wantedRatio * (wantedDepth / 100)))
  const width = rounded(exactWidth, 2)
  const length = rounded(Math.max(exactWidth * wantedRatio, width), 2)
  const depthMm = rounded((exactWidth * wantedDepth) / 100, 2)
  return sizeOf(shape, length, width, depthMm)
}

function certificateOf({ certificates, publicUrl }: DemoContext, lab: 'GIA' | 'IGI' | 'none') {
  if (lab === 'none') return {}
  certificates.issued++
  const certNum = `5${String(certificates.issued).padStart(9, '0')}`
  return {
    lab,
    lab_name: lab,
    cert_num: certNum,
    cert_url: certificateUrl(publicUrl, certNum),
  }
}
