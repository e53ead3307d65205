import type { Tx } from '../database/open.ts'
import { insertSheet, markGridsApplied } from '../feeds/grids/grid-store.ts'
import { CLARITIES, COLORS } from '../reference/attributes.ts'
import type { DiamondGrades } from './stones/diamond-grades.ts'
import { referencePerCarat } from './stones/diamond-price.ts'

/**
 * The sheets of reference prices of the demo market, which give a list price to mined stones whose
 * supplier quotes none. The figures are made up in the proportions of the trade.
 */
const WEIGHTS = [
  [0.18, 0.22],
  [0.23, 0.29],
  [0.3, 0.39],
  [0.4, 0.49],
  [0.5, 0.69],
  [0.7, 0.89],
  [0.9, 0.99],
  [1, 1.49],
  [1.5, 1.99],
  [2, 2.99],
  [3, 3.99],
  [4, 4.99],
  [5, 5.99],
  [10, 10.99],
] as const

/** A sheet ends at M. */
const SHEET_COLORS = COLORS.slice(0, 10)
/** FL counts as IF. */
const SHEET_CLARITIES = CLARITIES.filter((clarity) => clarity !== 'FL')
/** Lists quote hundreds of dollars, above what is paid. */
const HUNDRED = 100
const ABOVE_PAID = 1 / 0.65
const PEAR_FACTOR = 0.9

export async function createDemoGrids(tx: Tx, asOfMs: number): Promise<void> {
  const dated_on = new Date(asOfMs).toISOString().slice(0, 10)
  for (const [shape, fileName] of [
    ['BR', 'round.csv'],
    ['PS', 'pear.csv'],
  ] as const) {
    const cells = SHEET_CLARITIES.flatMap((clarity) =>
      SHEET_COLORS.flatMap((color) =>
        WEIGHTS.map(([weight_min, weight_max]) => {
          const price_per_carat = sheetPrice(shape, { color, clarity }, weight_min)
          return { clarity, color, weight_min, weight_max, price_per_carat }
        }),
      ),
    )
    await insertSheet(tx, { shape, dated_on, cells }, fileName)
  }
  // The stones are drawn with the prices of these sheets.
  await markGridsApplied(tx)
}

/** The list price that the sheets give a stone, or null when they have none for it. */
export function priceFromGrid(grades: DiamondGrades): string | null {
  const { type, is_fancy, shape, color, weight } = grades
  const isListed = SHEET_COLORS.some((each) => each === color)
  const from = WEIGHTS.findLast(([least]) => least <= weight)
  if (type !== 'mined' || is_fancy || !isListed || from === undefined) return null
  const clarity = grades.clarity === 'FL' ? 'IF' : grades.clarity
  const perCarat = sheetPrice(shape === 'round' ? 'BR' : 'PS', { color, clarity }, from[0])
  return (perCarat * weight).toFixed(2)
}

function sheetPrice(
  shape: 'BR' | 'PS',
  { color, clarity }: Pick<DiamondGrades, 'color' | 'clarity'>,
  weight: number,
): number {
  const paid = referencePerCarat({ type: 'mined', is_fancy: false, color, clarity, weight })
  const listed = paid * ABOVE_PAID * (shape === 'BR' ? 1 : PEAR_FACTOR)
  return Math.max(HUNDRED, Math.round(listed / HUNDRED) * HUNDRED)
}
