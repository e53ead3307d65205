import type { FilterOptions, ProductType, VariantOptions } from '../../database/tables/jewelry.ts'
import type { Chance } from '../chance.ts'
import {
  CASE_PRICES,
  CASE_SHARES,
  CASE_SIZES,
  type CaseMetal,
  COLLECTIONS,
  DIALS,
  KINDS,
  type Kind,
  METAL_PRICES,
  METAL_SHARES,
  type Metal,
  MOVEMENT_PRICES,
  MOVEMENT_SHARES,
  STONE_PRICES,
  STONE_SHAPES,
  STONE_SHARES,
  STRAPS,
  WATCH_COUNT,
  WATCH_TYPES,
} from './tables.ts'

/** A product without vendor and stock. */
export interface DemoPiece {
  type: ProductType
  title: string
  description: string
  /** What a picture of it shows: `ring-oval-sapphire`. */
  picture: string
  variants: DemoVariant[]
}

export interface DemoVariant {
  variant_options: VariantOptions
  filter_variant_options: FilterOptions
  cost_cents: number
}

export function* drawPieces(chance: Chance, times: number): Generator<DemoPiece> {
  for (const kind of KINDS) {
    for (let number = 0; number < kind.count * times; number++) yield drawJewelry(chance, kind)
  }
  for (let number = 0; number < WATCH_COUNT * times; number++) yield drawWatch(chance)
}

function drawJewelry(chance: Chance, kind: Kind): DemoPiece {
  const [subType, noun, hasStone] = chance.oneOf(kind.sub_types)
  const collection = chance.oneOf(COLLECTIONS)
  const stone = hasStone ? chance.pick(STONE_SHARES) : null
  const shape = stone === 'pearl' ? 'round' : chance.pick(STONE_SHAPES)
  const carats = Math.round((0.2 + chance.decaying(0.7)) * 100) / 100
  const grams = chance.between(...kind.grams)
  const inCollection = `the ${collection} collection`
  const about = stone ? ` with ${shape} ${stone}` : ''
  const attributes: FilterOptions = {
    jewelry_type: kind.jewelry_type,
    [kind.sub_type_key]: subType,
    ...(stone && { stone: stonesOf(stone, subType), stone_shape: shape }),
    collection,
    condition: 'new',
  }
  const stoneCost = stone ? STONE_PRICES[stone] * carats ** 1.3 : 0
  return {
    type: 'jewelry',
    title: `${collection} ${noun}${about}`,
    description: stone
      ? `${withArticle(shape)} ${stone} of ${carats} ct in a ${noun} of ${inCollection}.`
      : `A plain ${noun} of ${inCollection}, polished by hand.`,
    picture: [kind.jewelry_type, shape, stone ?? 'plain'].join('-').replaceAll(' ', '_'),
    variants: metalsOf(chance, kind).flatMap((metal) =>
      sizesOf(chance, kind).map((size) => {
        const options: VariantOptions = { metal, ...size }
        return {
          variant_options: options,
          filter_variant_options: { ...attributes, metal, ...sizeAttribute(size) },
          cost_cents: Math.round((METAL_PRICES[metal] * grams + stoneCost + 25) * 100),
        }
      }),
    ),
  }
}

function withArticle(word: string): string {
  return `${/^[aeo]/.test(word) ? 'An' : 'A'} ${word}`
}

/** Pieces with a halo or several stones have small diamonds beside the main stone. */
function stonesOf(stone: string, subType: string): string | string[] {
  const isSet = subType === 'halo' || subType === 'three stone'
  return isSet && !stone.endsWith('diamond') ? [stone, 'diamond'] : stone
}

function metalsOf(chance: Chance, kind: Kind): Metal[] {
  const wanted = chance.whole(...kind.metals)
  const metals = new Set<Metal>()
  while (metals.size < wanted) metals.add(chance.pick(METAL_SHARES))
  return [...metals]
}

function sizesOf(chance: Chance, { sized }: Kind): VariantOptions[] {
  if (!sized) return [{}]
  const count = chance.whole(...sized.count)
  const first = chance.whole(0, sized.values.length - count)
  return sized.values.slice(first, first + count).map((value) => ({ [sized.key]: value }))
}

function sizeAttribute(size: VariantOptions): FilterOptions {
  const value = size.size ?? size.length
  return value === undefined ? {} : { size: value }
}

function drawWatch(chance: Chance): DemoPiece {
  const [watchType, noun] = chance.oneOf(WATCH_TYPES)
  const collection = chance.oneOf(COLLECTIONS)
  const movement = chance.pick(MOVEMENT_SHARES)
  const metal: CaseMetal = chance.pick(CASE_SHARES)
  const size = chance.oneOf(CASE_SIZES)
  const stone: FilterOptions = watchType === 'jewelry watch' ? { stone: 'diamond' } : {}
  const dials = chance.whole(1, 3)
  const straps = chance.whole(1, 2)
  const firstDial = chance.whole(0, DIALS.length - dials)
  const firstStrap = chance.whole(0, STRAPS.length - straps)
  const cost = CASE_PRICES[metal] + MOVEMENT_PRICES[movement] + chance.between(20, 400)
  return {
    type: 'watch',
    title: `${collection} ${noun}, ${movement}, ${size}`,
    description: `A ${noun} with ${movement} movement in a ${size} case of ${metal}.`,
    picture: ['watch', metal, 'plain'].join('-').replaceAll(' ', '_'),
    variants: DIALS.slice(firstDial, firstDial + dials).flatMap((dial) =>
      STRAPS.slice(firstStrap, firstStrap + straps).map((strap) => ({
        variant_options: { dial, strap },
        filter_variant_options: {
          watch_type: watchType,
          movement,
          metal,
          ...stone,
          strap,
          dial,
          size,
          collection,
          condition: 'new',
        },
        cost_cents: Math.round(cost * 100),
      })),
    ),
  }
}
