import type { ComponentChildren } from 'preact'
import { CLARITIES, COLORS, CUT_GRADES } from '../../../src/reference/attributes.ts'
import { type Gem, listStones } from '../api/gems.ts'
import { useRead } from '../api/hooks.ts'
import { t, tIn } from '../language/language.ts'
import { isCustomerView } from '../lib/customer-view.ts'
import {
  capitalize,
  carats,
  decimal,
  humanize,
  millimeters,
  money,
  percent,
  plural,
} from '../lib/format.ts'
import { go, useLocation } from '../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { ShapePicture } from '../parts/shape-picture.tsx'
import { ShareButton } from '../shares/share-button.tsx'
import { BasketButton } from './buttons.tsx'
import { COMPARED_MAX, compared } from './compare-store.ts'
import { colorText, gemName, gemstoneTexts, labName, treatmentText, valueLabel } from './labels.ts'

interface Row {
  label: string
  /** What the merchant pays, which no customer sees. */
  isTrade?: boolean
  /** Whether a stone has it: the row is left out when none does. */
  isOf?: (gem: Gem) => boolean
  show: (gem: Gem) => ComponentChildren
  /** The lower the better. Rows without a rank have no best stone. */
  rank?: (gem: Gem) => number | null
}

/** Colors of gemstones are words, which are on no scale. */
const onScale = (scale: readonly string[], value: string | null) => {
  const at = value === null ? -1 : scale.indexOf(value)
  return at < 0 ? null : at
}

const isGemstone = ({ product_type }: Gem) => product_type === 'gemstone'

const ROWS: Row[] = [
  {
    label: t('Retail'),
    show: (gem) => money(gem.retail_price, gem.currency_code),
    rank: (gem) => gem.retail_price,
  },
  {
    label: t('Wholesale'),
    isTrade: true,
    show: (gem) => money(gem.wholesale_price, gem.currency_code),
    rank: (gem) => gem.wholesale_price,
  },
  { label: t('Carat'), show: (gem) => carats(gem.weight), rank: (gem) => -gem.weight },
  {
    label: t('Color'),
    show: (gem) =>
      gem.product_type === 'gemstone' && gem.color
        ? capitalize(humanize(gem.color))
        : colorText(gem),
    rank: (gem) => (gem.is_fancy ? null : onScale(COLORS, gem.color)),
  },
  {
    label: t('Clarity'),
    show: (gem) => gem.clarity ?? '–',
    rank: (gem) => onScale(CLARITIES, gem.clarity),
  },
  {
    label: t('Cut'),
    show: (gem) => gem.cut_grade ?? '–',
    rank: (gem) => onScale(CUT_GRADES, gem.cut_grade),
  },
  {
    label: t('Polish and symmetry'),
    show: (gem) => [gem.polish_grade, gem.symmetry_grade].map((grade) => grade ?? '–').join(' / '),
  },
  {
    label: t('Fluorescence'),
    show: (gem) => (gem.fluorescence ? tIn('fluorescence', gem.fluorescence) : '–'),
  },
  { label: t('Measurements'), show: (gem) => millimeters(gem.length, gem.width, gem.depth) },
  { label: t('Length-to-width ratio'), show: (gem) => decimal(gem.ratio) },
  { label: t('Table'), show: (gem) => percent(gem.table_percentage) },
  { label: t('Depth'), show: (gem) => percent(gem.depth_percentage) },
  { label: t('Grading lab'), show: (gem) => labName(gem) ?? '–' },
  { label: t('Origin'), show: (gem) => valueLabel(gem.type) },
  {
    label: t('Country of origin'),
    isOf: isGemstone,
    show: (gem) => gemstoneTexts(gem)[0] || '–',
  },
  {
    label: t('Treatment'),
    isOf: (gem) => isGemstone(gem) || treatmentText(gem) !== '',
    show: (gem) => treatmentText(gem) || '–',
  },
  {
    label: t('Delivery'),
    show: (gem) => deliveryDays(gem),
    rank: (gem) => gem.delivery_days_max,
  },
]

function rowsFor(gems: readonly Gem[]): Row[] {
  return ROWS.filter(
    ({ isTrade, isOf }) => !(isTrade && isCustomerView) && (!isOf || gems.some(isOf)),
  )
}

function deliveryDays({ delivery_days_max: days }: Gem): string {
  return days === null ? '–' : plural(days, 'day')
}

/** Two to four stones side by side; the best value of each row is highlighted. */
export function ComparePage() {
  const { params } = useLocation()
  const skus = (params.get('sku') ?? '').split(',').filter(Boolean).slice(0, COMPARED_MAX)
  const reading = useRead(skus.join(','), (signal) => listStones(skus, signal))
  const gems = skus.flatMap((sku) => reading.value?.find((gem) => gem.sku === sku) ?? [])
  const remove = (sku: string) => {
    const rest = skus.filter((each) => each !== sku)
    compared.set(rest)
    go(rest.length > 0 ? `/compare?sku=${rest.join(',')}` : '/search')
  }
  return (
    <>
      <div class="page-head">
        <h1>{t('Compare stones')}</h1>
        {gems.length > 0 && <ShareButton skus={gems.map(({ sku }) => sku)} />}
        {skus.length > gems.length && reading.value && (
          <p class="page-lead">
            {t('No longer on the market: {stones}.', {
              stones: plural(skus.length - gems.length, 'stone'),
            })}
          </p>
        )}
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {reading.loading && !reading.value && <Loading rows={6} />}
      {reading.value && gems.length === 0 && (
        <Empty title={t('Choose two to four stones to compare')}>
          <a class="button" href="/search">
            {t('Search diamonds')}
          </a>
        </Empty>
      )}
      {gems.length > 0 && (
        <ScrollArea class="compare panel" label={t('Comparison')}>
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
              {rowsFor(gems).map((row) => (
                <ComparedRow key={row.label} row={row} gems={gems} />
              ))}
            </tbody>
          </table>
        </ScrollArea>
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
        <a href={`/stones/${gem.sku}`}>{gemName(gem)}</a>
        <div class="row">
          <BasketButton gem={gem} />
          <button type="button" class="button is-small is-quiet" onClick={onRemove}>
            {t('Remove')}
            <span class="visually-hidden"> {gem.sku}</span>
          </button>
        </div>
      </div>
    </th>
  )
}

function ComparedRow({ row, gems }: { row: Row; gems: Gem[] }) {
  const ranks = gems.map((gem) => row.rank?.(gem) ?? null)
  const known = ranks.filter((rank): rank is number => rank !== null)
  const best = known.length > 1 && new Set(known).size > 1 ? Math.min(...known) : undefined
  return (
    <tr>
      <th scope="row">{row.label}</th>
      {gems.map((gem, index) => (
        <td key={gem.sku} class={ranks[index] === best && best !== undefined ? 'is-best' : ''}>
          {row.show(gem)}
        </td>
      ))}
    </tr>
  )
}
