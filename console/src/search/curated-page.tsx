import { useState } from 'preact/hooks'
import { type CuratedGem, type CuratedQuery, curateDiamonds } from '../api/diamonds.ts'
import { useRead } from '../api/hooks.ts'
import { listTemplates } from '../api/settings.ts'
import { money } from '../lib/format.ts'
import { go, useLocation, withParams } from '../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Checkbox, SelectField } from '../parts/fields.tsx'
import { ShapePicker } from '../parts/shape-picker.tsx'
import { StoneCard } from './stone-cards.tsx'

const SHAPES = [
  'round',
  'oval',
  'cushion',
  'princess',
  'emerald',
  'pear',
  'radiant',
  'marquise',
  'asscher',
  'heart',
]

/** Shape and weight in; for each grade the stone that answers it best, with the reasons. */
export function CuratedPage() {
  const { params } = useLocation()
  const query = parseQuery(params)
  const templates = useRead('templates', (signal) => listTemplates(signal))
  const groups = [...new Set(templates.value?.merchant_templates.map(({ group }) => group))]
  const reading = useRead(JSON.stringify(query), (signal) => curateDiamonds(query, signal))
  return (
    <>
      <div class="page-head">
        <h1>Curated</h1>
        <p class="page-lead">
          Say shape and weight; each of your grades answers with the best stone the market has.
        </p>
      </div>
      <section class="panel stack" aria-label="What you look for">
        <ShapePicker
          single
          shapes={SHAPES}
          chosen={[query.shape]}
          onChange={([shape]) => go(withParams({ shape }))}
        />
        <div class="form">
          <WeightField weight={query.weight} />
          <SelectField
            label="Origin"
            value={params.get('type') ?? ''}
            options={[
              ['', 'Mined and lab grown'],
              ['mined', 'Mined'],
              ['lab grown', 'Lab grown'],
            ]}
            onChange={(type) => go(withParams({ type }))}
          />
          <SelectField
            label="Grades of"
            value={params.get('group') ?? ''}
            options={[['', 'Your templates'], ...groups.map((group) => [group, group] as const)]}
            onChange={(group) => go(withParams({ group }))}
          />
          <Checkbox
            checked={query.count_per_grade === 2}
            onChange={(pair) => go(withParams({ pair: pair ? 'yes' : undefined }))}
          >
            Matched pairs
          </Checkbox>
        </div>
      </section>
      <div style={{ marginTop: '20px' }} aria-busy={reading.loading}>
        <ProblemNote problem={reading.problem} onRetry={reading.reload} />
        {!reading.value && !reading.problem && <Loading rows={2} height={200} />}
        {reading.value?.length === 0 && (
          <Empty title="No stone answers any of your grades">
            <p>Try another weight, or both origins.</p>
          </Empty>
        )}
        {reading.value && <GradeShelves gems={reading.value} />}
      </div>
    </>
  )
}

function parseQuery(params: URLSearchParams): CuratedQuery {
  const type = params.get('type')
  const group = params.get('group')
  const weight = Number(params.get('weight') ?? 1)
  return {
    weight: weight > 0 ? weight : 1,
    shape: params.get('shape') ?? 'round',
    types: type ? [type] : ['mined', 'lab grown'],
    count_per_grade: params.get('pair') === 'yes' ? 2 : 1,
    ...(group && { merchant_template_filters: { group } }),
    explain: true,
  }
}

function WeightField({ weight }: { weight: number }) {
  const [text, setText] = useState(String(weight))
  const commit = () => {
    const value = Number(text.replace(',', '.'))
    if (value > 0) go(withParams({ weight: String(value) }))
  }
  return (
    <label class="field">
      <span>Carat</span>
      <input
        class="input"
        inputMode="decimal"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={commit}
      />
    </label>
  )
}

/** One shelf per template, in its order. */
function GradeShelves({ gems }: { gems: CuratedGem[] }) {
  const labels = [...new Set(gems.map((gem) => shelfOf(gem)))]
  return (
    <div class="columns">
      {labels.map((label) => {
        const shelf = gems.filter((gem) => shelfOf(gem) === label)
        const sum = shelf.reduce((total, gem) => total + gem.retail_price, 0)
        return (
          <section key={label} class="panel" aria-label={label}>
            <div class="panel-head">
              <h2>{shelf[0].merchant_template_label}</h2>
              <span class="muted small">{shelf[0].merchant_template_group}</span>
              {shelf[0].is_pair && (
                <span class="tag is-accent">Pair, {money(sum, shelf[0].currency_code)}</span>
              )}
            </div>
            <ul class="cards">
              {shelf.map((gem) => (
                <StoneCard key={gem.sku} gem={gem} />
              ))}
            </ul>
            <Reasons gem={shelf[0]} />
          </section>
        )
      })}
    </div>
  )
}

function shelfOf(gem: CuratedGem): string {
  return `${gem.merchant_template_group} ${gem.merchant_template_label}`
}

function Reasons({ gem }: { gem: CuratedGem }) {
  if (!gem.match) return null
  return (
    <ul class="small muted" style={{ marginTop: '12px', listStyle: 'disc', paddingLeft: '18px' }}>
      {gem.match.reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  )
}
