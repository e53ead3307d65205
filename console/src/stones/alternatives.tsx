import { CLARITIES, COLORS } from '../../../src/reference/attributes.ts'
import { type Filters, searchDiamonds } from '../api/diamonds.ts'
import type { Gem } from '../api/gem.ts'
import { useRead } from '../api/hooks.ts'
import { StoneCard } from '../search/stone-cards.tsx'

const SHOWN_MAX = 6
const ASKED = 100

/** The stones that come nearest: same shape and origin, like weight, colour and clarity. */
export function Alternatives({ gem }: { gem: Gem }) {
  const reading = useRead(gem.sku, async (signal) => {
    const search = { limit: ASKED, offset: 0, sort_col: 'retail_price', sort_order: 'asc' as const }
    const { gems } = await searchDiamonds({ ...search, filters: near(gem) }, signal)
    return gems
      .filter(({ sku }) => sku !== gem.sku)
      .sort((a, b) => difference(gem, a) - difference(gem, b))
      .slice(0, SHOWN_MAX)
  })
  if (!reading.value || reading.value.length === 0) return null
  return (
    <section class="stack" aria-labelledby="alternatives" style={{ marginTop: '32px' }}>
      <h2 id="alternatives">What comes nearest</h2>
      <ul class="cards">
        {reading.value.map((each) => (
          <StoneCard key={each.sku} gem={each} note={howItDiffers(gem, each)} />
        ))}
      </ul>
    </section>
  )
}

function near(gem: Gem): Filters {
  const filters: Filters = {
    shape: [gem.shape],
    type: [gem.type],
    weight_min: Math.round(gem.weight * 90) / 100,
    weight_max: Math.round(gem.weight * 110) / 100,
  }
  if (gem.is_fancy) return { ...filters, is_fancy: true, color: [gem.color ?? 'OT'] }
  if (gem.color) filters.color = neighbours(COLORS, gem.color)
  if (gem.clarity) filters.clarity = neighbours(CLARITIES, gem.clarity)
  return filters
}

function neighbours(scale: readonly string[], value: string): string[] {
  const at = scale.indexOf(value)
  return scale.slice(Math.max(0, at - 1), at + 2)
}

/** How far apart two stones are: a colour grade weighs like four percent of the weight. */
function difference(a: Gem, b: Gem): number {
  const steps = (scale: readonly string[], x: string | null, y: string | null) =>
    Math.abs(scale.indexOf(x ?? '') - scale.indexOf(y ?? ''))
  return (
    (Math.abs(a.weight - b.weight) / a.weight) * 25 +
    steps(COLORS, a.color, b.color) +
    steps(CLARITIES, a.clarity, b.clarity) +
    (Math.abs(a.retail_price - b.retail_price) / a.retail_price) * 4 +
    (a.cut_grade === b.cut_grade ? 0 : 0.5)
  )
}

function howItDiffers(gem: Gem, other: Gem): string {
  const change = Math.round((other.retail_price / gem.retail_price - 1) * 100)
  if (change === 0) return 'At the same price'
  return change < 0 ? `${-change} % less` : `${change} % more`
}
