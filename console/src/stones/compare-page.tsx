import type { ComponentChildren } from 'preact'
import { CLARITIES, COLORS, CUT_GRADES } from '../../../src/reference/attributes.ts'
import { listDiamonds } from '../api/diamonds.ts'
import { type Gem, gemName } from '../api/gem.ts'
import { useRead } from '../api/hooks.ts'
import { carats, decimal, humanize, millimeters, money, percent } from '../lib/format.ts'
import { go, useLocation } from '../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { ShapePicture } from '../parts/shape-picture.tsx'
import { BasketButton } from './buttons.tsx'
import { COMPARED_MAX, compared } from './compare-store.ts'

interface Line {
  label: string
  show: (gem: Gem) => ComponentChildren
  /** The lower the better; not every line has a best. */
  rank?: (gem: Gem) => number | null
}

const onScale = (scale: readonly string[], value: string | null) =>
  value === null ? null : scale.indexOf(value)

const LINES: Line[] = [
  {
    label: 'Retail',
    show: (gem) => money(gem.retail_price, gem.currency_code),
    rank: (gem) => gem.retail_price,
  },
  {
    label: 'Wholesale',
    show: (gem) => money(gem.wholesale_price, gem.currency_code),
    rank: (gem) => gem.wholesale_price,
  },
  { label: 'Weight', show: (gem) => carats(gem.weight), rank: (gem) => -gem.weight },
  {
    label: 'Colour',
    show: (gem) => gem.color ?? '–',
    rank: (gem) => (gem.is_fancy ? null : onScale(COLORS, gem.color)),
  },
  {
    label: 'Clarity',
    show: (gem) => gem.clarity ?? '–',
    rank: (gem) => onScale(CLARITIES, gem.clarity),
  },
  {
    label: 'Cut',
    show: (gem) => gem.cut_grade ?? '–',
    rank: (gem) => onScale(CUT_GRADES, gem.cut_grade),
  },
  {
    label: 'Polish and symmetry',
    show: (gem) => [gem.polish_grade, gem.symmetry_grade].map((grade) => grade ?? '–').join(' / '),
  },
  { label: 'Fluorescence', show: (gem) => gem.fluorescence ?? '–' },
  { label: 'Measurements', show: (gem) => millimeters(gem.length, gem.width, gem.depth) },
  { label: 'Length to width', show: (gem) => decimal(gem.ratio) },
  { label: 'Table', show: (gem) => percent(gem.table_percentage) },
  { label: 'Depth', show: (gem) => percent(gem.depth_percentage) },
  { label: 'Laboratory', show: (gem) => gem.lab ?? '–' },
  { label: 'Origin', show: (gem) => humanize(gem.type) },
  {
    label: 'Delivery',
    show: (gem) => `${gem.delivery_days_max ?? '–'} days`,
    rank: (gem) => gem.delivery_days_max,
  },
]

/** Two to four stones side by side; the best of each line stands out. */
export function ComparePage() {
  const { params } = useLocation()
  const skus = (params.get('sku') ?? '').split(',').filter(Boolean).slice(0, COMPARED_MAX)
  const reading = useRead(skus.join(','), (signal) => listDiamonds(skus, signal))
  const gems = skus.flatMap((sku) => reading.value?.find((gem) => gem.sku === sku) ?? [])
  const remove = (sku: string) => {
    const rest = skus.filter((each) => each !== sku)
    compared.set(rest)
    go(rest.length > 0 ? `/compare?sku=${rest.join(',')}` : '/search')
  }
  return (
    <>
      <div class="page-head">
        <h1>Side by side</h1>
        {skus.length > gems.length && reading.value && (
          <p class="page-lead">{skus.length - gems.length} of them left the market meanwhile.</p>
        )}
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {reading.loading && !reading.value && <Loading rows={6} />}
      {reading.value && gems.length === 0 && (
        <Empty title="Choose two to four stones">
          <a class="button" href="/search">
            To the diamonds
          </a>
        </Empty>
      )}
      {gems.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by key
        <section class="compare panel" tabIndex={0} aria-label="Stones compared">
          <table>
            <thead>
              <tr>
                <td />
                {gems.map((gem) => (
                  <ComparedHead key={gem.sku} gem={gem} onRemove={() => remove(gem.sku)} />
                ))}
              </tr>
            </thead>
            <tbody>
              {LINES.map((line) => (
                <ComparedLine key={line.label} line={line} gems={gems} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  )
}

function ComparedHead({ gem, onRemove }: { gem: Gem; onRemove: () => void }) {
  return (
    <th scope="col">
      <div class="stack">
        <div style={{ width: '84px' }}>
          <ShapePicture shape={gem.shape} ratio={gem.ratio} />
        </div>
        <a href={`/stones/${gem.sku}`}>{gemName(gem, carats(gem.weight))}</a>
        <div class="row">
          <BasketButton gem={gem} />
          <button type="button" class="button is-small is-quiet" onClick={onRemove}>
            Remove<span class="visually-hidden"> {gem.sku}</span>
          </button>
        </div>
      </div>
    </th>
  )
}

function ComparedLine({ line, gems }: { line: Line; gems: Gem[] }) {
  const ranks = gems.map((gem) => line.rank?.(gem) ?? null)
  const known = ranks.filter((rank): rank is number => rank !== null)
  const best = known.length > 1 && new Set(known).size > 1 ? Math.min(...known) : undefined
  return (
    <tr>
      <th scope="row">{line.label}</th>
      {gems.map((gem, index) => (
        <td key={gem.sku} class={ranks[index] === best && best !== undefined ? 'is-best' : ''}>
          {line.show(gem)}
        </td>
      ))}
    </tr>
  )
}
