import { skuOf } from '../../gems/gem.ts'
import { demoPictureName } from '../../pictures/demo-names.ts'
import type { GemType } from '../../reference/attributes.ts'
import { type Chance, type Choices, rounded, sharesOf } from '../chance.ts'
import { priceFromGrid } from '../price-grid.ts'
import type { DemoSupplier } from '../suppliers.ts'
import { type DiamondGrades, drawGrades } from './diamond-grades.ts'
import { drawMeasurements, type Measurements, sizeOf } from './diamond-measurements.ts'
import { pricePerCarat, referencePerCarat } from './diamond-price.ts'
import {
  type DemoContext,
  type DemoGem,
  gemFrom,
  nextVendorSku,
  offerFrom,
  supplierShares,
} from './gem.ts'
import { certificateUrl, mediaOf } from './media.ts'
import { drawRemarks, TREATED_PRICE_FACTOR } from './remarks.ts'

const LAB_GROWN_SHARE = 0.45
const PAIR_SHARE = 0.012

/** Generates single diamonds one by one, so that a million need no more memory than one. */
export function* drawDiamonds(context: DemoContext, count: number): Generator<DemoGem> {
  const { chance, suppliers } = context
  const shares: Record<GemType, Choices<DemoSupplier>> = {
    mined: supplierShares(suppliers, 'mined'),
    'lab grown': supplierShares(suppliers, 'lab grown'),
  }
  for (let drawn = 0; drawn < count; drawn++) {
    const type = chance.hits(LAB_GROWN_SHARE) ? 'lab grown' : 'mined'
    const supplier = chance.pick(shares[type])
    const grades = drawGrades(chance, type)
    const measurements = drawMeasurements(chance, grades)
    const stone: Draft = { supplier, grades, measurements, vendorSku: '' }
    stone.vendorSku = nextVendorSku(context, supplier)
    if (drawn + 1 < count && chance.hits(PAIR_SHARE)) {
      drawn++
      yield* finishPair(context, stone)
    } else {
      yield finishDiamond(context, stone)
    }
  }
}

interface Draft {
  supplier: DemoSupplier
  vendorSku: string
  grades: DiamondGrades
  measurements: Measurements
}

/** Finishes two stones of a matched pair: the same grades, and almost the same sizes. */
function* finishPair(context: DemoContext, first: Draft): Generator<DemoGem> {
  const { chance } = context
  const second: Draft = { ...first, vendorSku: nextVendorSku(context, first.supplier) }
  if (first.grades.weight >= 0.5 && chance.hits(0.5)) {
    second.grades = { ...first.grades, weight: rounded(first.grades.weight + 0.01, 2) }
    const { length, width, depth } = first.measurements
    const grown = [rounded(length + 0.01, 2), width, rounded(depth + 0.01, 2)] as const
    second.measurements = { ...first.measurements, ...sizeOf(first.grades.shape, ...grown) }
  }
  const separable = chance.hits(0.7)
  for (const [stone, other] of [
    [first, second],
    [second, first],
  ]) {
    const gem = finishDiamond(context, stone)
    const pair_sku = skuOf(first.supplier.uuid, other.vendorSku)
    yield { ...gem, pair_vendor_sku: other.vendorSku, pair_sku, pair_separable: separable }
  }
}

function finishDiamond(context: DemoContext, draft: Draft): DemoGem {
  const { chance, publicUrl } = context
  const { grades, measurements, supplier, vendorSku } = draft
  const remarks = drawRemarks(context.remarks, grades.type)
  const factor = remarks.treatment === null ? 1 : TREATED_PRICE_FACTOR
  const perCarat = pricePerCarat(grades) * chance.around(1, 0.05) * factor
  const name = demoPictureName(grades.shape, measurements.ratio, grades.color)
  const offer = offerFrom(context, supplier, vendorSku, perCarat * grades.weight)
  return gemFrom(
    offer,
    { product_type: 'diamond', type: grades.type, shape: grades.shape, weight: grades.weight },
    grades,
    measurements,
    remarks,
    drawCertificate(context, grades),
    mediaOf(publicUrl, name, chance.pick(MEDIA_SHARES)),
    drawSustainability(chance, grades.type),
    drawListPrice(chance, grades, remarks.treatment === null),
    {
      can_hold: chance.hits(0.97),
      media_requested: chance.hits(0.004),
    },
  )
}

const MEDIA_SHARES: Choices<0 | 1 | 2 | 3> = (() => {
  const { values, limits } = sharesOf<'0' | '1' | '2' | '3'>({ 0: 24, 1: 26, 2: 18, 3: 32 })
  return { values: values.map((level) => Number(level) as 0 | 1 | 2 | 3), limits }
})()

/** Returns numbers in the format of each laboratory, in an order that looks random. */
function drawCertificate(
  { certificates, publicUrl }: DemoContext,
  { lab, lab_name, type }: DiamondGrades,
): Pick<DemoGem, 'cert_num' | 'cert_url'> {
  if (lab_name === null) return { cert_num: null, cert_url: null }
  certificates.issued++
  // The step and the range have no common divisor, so no number repeats before all were used.
  const number = 100_000_000 + ((certificates.issued * 387_420_489) % 800_000_011)
  const certNum =
    lab === 'GIA'
      ? `2${number}`
      : lab === 'IGI' && type === 'lab grown'
        ? `LG${number}`
        : `${number}`
  return { cert_num: certNum, cert_url: certificateUrl(publicUrl, certNum) }
}

/**
 * Reference lists quote mined colorless diamonds per carat, in hundreds of dollars. Where the
 * supplier does not, the operator's sheet does.
 */
function drawListPrice(
  chance: Chance,
  grades: DiamondGrades,
  isUntreated: boolean,
): Pick<DemoGem, 'list_price' | 'list_price_from_grid'> {
  if (grades.type !== 'mined' || grades.is_fancy || !chance.hits(0.6)) {
    const list_price = isUntreated ? priceFromGrid(grades) : null
    return { list_price, list_price_from_grid: list_price !== null }
  }
  const perCarat = Math.max(100, Math.round(referencePerCarat(grades) / 65) * 100)
  return { list_price: (perCarat * grades.weight).toFixed(2), list_price_from_grid: false }
}

const TRACEABLE = JSON.stringify({ program: 'traceable origin', since: 2022 })
const RENEWABLE = JSON.stringify({ program: 'renewable energy', since: 2023 })

function drawSustainability(
  chance: Chance,
  type: GemType,
): Pick<DemoGem, 'is_sustainable' | 'sustainability_details'> {
  const isSustainable = chance.hits(type === 'mined' ? 0.06 : 0.3)
  if (!isSustainable) {
    return { is_sustainable: chance.hits(0.4) ? null : false, sustainability_details: null }
  }
  return {
    is_sustainable: true,
    sustainability_details: type === 'mined' ? TRACEABLE : RENEWABLE,
  }
}
