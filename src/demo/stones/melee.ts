import { demoPictureName } from '../../pictures/demo-names.ts'
import type { Clarity, Color, CutCode, GemType, Shape } from '../../reference/attributes.ts'
import { rounded } from '../chance.ts'
import type { DemoSupplier } from '../suppliers.ts'
import { MAKES } from './diamond-measurements.ts'
import { type DemoContext, type DemoGem, gemFrom, nextVendorSku, offerFrom } from './gem.ts'
import { mediaOf } from './media.ts'

/** Diameters of round parcels, in millimetres. */
const ROUND_SIZES = [
  0.8, 0.9, 1, 1.1, 1.2, 1.25, 1.3, 1.4, 1.5, 1.6, 1.7, 1.75, 1.8, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5,
]

interface Assortment {
  shape: Shape
  cut_code: CutCode
  sizes: [length: number, width: number][]
}

const ASSORTMENTS: Assortment[] = [
  { shape: 'round', cut_code: 'brilliant_cut', sizes: ROUND_SIZES.map((size) => [size, size]) },
  { shape: 'princess', cut_code: 'brilliant_cut', sizes: squares([1.5, 1.75, 2, 2.25, 2.5, 3]) },
  { shape: 'asscher', cut_code: 'step_cut', sizes: squares([2, 2.5, 3]) },
  { shape: 'baguette', cut_code: 'step_cut', sizes: oblongs(2, [2, 2.5, 3, 3.5, 4]) },
  { shape: 'tapered_baguette', cut_code: 'step_cut', sizes: oblongs(2, [2.5, 3, 3.5, 4]) },
  { shape: 'marquise', cut_code: 'brilliant_cut', sizes: oblongs(2, [3, 3.5, 4, 5]) },
  { shape: 'pear', cut_code: 'brilliant_cut', sizes: oblongs(1.5, [2.25, 3, 3.75, 4.5]) },
  { shape: 'oval', cut_code: 'brilliant_cut', sizes: oblongs(1.25, [2.5, 3, 3.5, 4]) },
  { shape: 'emerald', cut_code: 'step_cut', sizes: oblongs(1.4, [2.8, 3.5, 4.2]) },
]

function squares(sizes: number[]): [number, number][] {
  return sizes.map((size) => [size, size])
}

function oblongs(ratio: number, lengths: number[]): [number, number][] {
  return lengths.map((length) => [length, rounded(length / ratio, 2)])
}

interface Quality {
  color_max: Color
  color: Color
  clarity_max: Clarity
  clarity: Clarity
  /** US dollars per carat of a mined round of 1.5 mm. */
  per_carat: number
}

const QUALITIES: Quality[] = [
  { color_max: 'D', color: 'F', clarity_max: 'VVS1', clarity: 'VVS2', per_carat: 1150 },
  { color_max: 'D', color: 'F', clarity_max: 'VS1', clarity: 'VS2', per_carat: 820 },
  { color_max: 'G', color: 'H', clarity_max: 'VS1', clarity: 'VS2', per_carat: 640 },
  { color_max: 'G', color: 'H', clarity_max: 'SI1', clarity: 'SI2', per_carat: 480 },
  { color_max: 'I', color: 'J', clarity_max: 'SI1', clarity: 'SI2', per_carat: 350 },
]

const EMPTY_SHARE = 0.08
const DOUBLE_SHARE = 0.05

/** Generates parcels of every size, shape and quality; some are empty, some offered twice. */
export function* drawMelee(context: DemoContext): Generator<DemoGem> {
  const { chance, suppliers } = context
  for (const type of ['mined', 'lab grown'] as const) {
    const sellers = suppliers.filter((supplier) => supplier.share[type] > 10)
    for (const assortment of ASSORTMENTS) {
      const qualities = assortment.shape === 'round' ? QUALITIES : QUALITIES.slice(1, 4)
      for (const size of assortment.sizes) {
        for (const quality of qualities) {
          const offers = chance.hits(DOUBLE_SHARE) ? 2 : 1
          for (let offer = 0; offer < offers; offer++) {
            const seller = chance.oneOf(sellers)
            yield drawParcel(context, seller, { type, assortment, size, quality })
          }
        }
      }
    }
  }
}

interface Parcel {
  type: GemType
  assortment: Assortment
  size: [length: number, width: number]
  quality: Quality
}

function drawParcel(
  context: DemoContext,
  seller: DemoSupplier,
  { type, assortment, size: [length, width], quality }: Parcel,
): DemoGem {
  const { chance } = context
  const { per_carat, ...grades } = quality
  const depth = rounded(width * 0.61, 3)
  const weight = Math.max(
    rounded(MAKES[assortment.shape].density * length * width * depth, 4),
    0.001,
  )
  // Very small stones are expensive to cut, larger ones are rare.
  const sizeFactor = 1 + 0.25 * Math.abs(Math.log(width / 1.5))
  const shapeFactor = assortment.shape === 'round' ? 1 : 1.12
  const typeFactor = type === 'mined' ? 1 : 0.24
  const perCarat = per_carat * sizeFactor * shapeFactor * typeFactor * chance.around(1, 0.04)
  const vendorSku = `M${nextVendorSku(context, seller)}`
  const ratio = rounded(length / width, 2)
  return gemFrom(offerFrom(context, seller, vendorSku, perCarat), {
    product_type: 'melee',
    type,
    shape: assortment.shape,
    cut_code: assortment.cut_code,
    weight,
    length,
    width,
    depth,
    ratio,
    ...grades,
    grow_method: type === 'mined' ? null : 'CVD',
    quantity: chance.hits(EMPTY_SHARE) ? 0 : Math.ceil(chance.decaying(900)) + 20,
    memo: false,
    can_hold: false,
    tolerance_positive: 0.05,
    tolerance_negative: 0.05,
    ...viewOf(context, demoPictureName(assortment.shape, ratio, grades.color)),
    is_sustainable: type === 'mined' ? null : chance.hits(0.3),
  })
}

const VIEW_SHARE = 0.35

/** Some parcels have a 360 degree view of one of their stones. */
function viewOf({ remarks, publicUrl }: DemoContext, name: string) {
  if (!remarks.hits(VIEW_SHARE)) return {}
  const { ux_url, v360_json_base_url, v360_info } = mediaOf(publicUrl, name, 3)
  return { ux_url, cached_ux_url: ux_url, v360_json_base_url, v360_info }
}
