import { useEffect, useState } from 'preact/hooks'
import { type CuratedGem, type CuratedQuery, curateDiamonds } from '../api/gems.ts'
import { useRead } from '../api/hooks.ts'
import { listTemplates } from '../api/settings.ts'
import { t } from '../language/language.ts'
import { money } from '../lib/format.ts'
import { numberIn, numberText } from '../lib/numbers.ts'
import { go, useLocation, withParams } from '../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Checkbox, SelectField } from '../parts/fields.tsx'
import { ShapePicker } from '../parts/shape-picker.tsx'
import { StoneCard } from '../stones/card.tsx'
import { valueLabel } from '../stones/labels.ts'
import { COMMON_SHAPES } from './query.ts'
import { reasonText } from './reason-text.ts'

/** For a shape and a weight: the best stone for each of the merchant's templates, and why. */
export function CuratedPage() {
  const { params } = useLocation()
  const query = parseQuery(params)
  const templates = useRead('templates', (signal) => listTemplates(signal))
  const groups = [...new Set(templates.value?.map(({ group }) => group))]
  const reading = useRead(JSON.stringify(query), (signal) => curateDiamonds(query, signal))
  return (
    <>
      <div class="page-head">
        <h1>{t('Curated')}</h1>
        <p class="page-lead">
          {t('Choose a shape and a weight to see the best stone for each of your grades.')}
        </p>
      </div>
      <section class="panel stack" aria-label={t('Search criteria')}>
        <ShapePicker
          single
          shapes={COMMON_SHAPES}
          chosen={[query.shape]}
          onChange={([shape]) => go(withParams({ shape }))}
        />
        <div class="form">
          <WeightField weight={Number(query.weight)} />
          <SelectField
            label={t('Origin')}
            value={params.get('type') ?? ''}
            options={[
              ['', t('Mined and lab grown')],
              ['mined', valueLabel('mined')],
              ['lab grown', valueLabel('lab grown')],
            ]}
            onChange={(type) => go(withParams({ type }))}
          />
          <SelectField
            label={t('Template group')}
            value={params.get('group') ?? ''}
            options={[['', t('Your templates')], ...groups.map((group) => [group, group] as const)]}
            onChange={(group) => go(withParams({ group }))}
          />
          <Checkbox
            checked={query.count_per_grade === 2}
            onChange={(pair) => go(withParams({ pair: pair ? 'yes' : undefined }))}
          >
            {t('Matched pairs')}
          </Checkbox>
        </div>
      </section>
      <div style={{ marginTop: '20px' }} aria-busy={reading.loading}>
        <ProblemNote problem={reading.problem} onRetry={reading.reload} />
        {!reading.value && !reading.problem && <Loading rows={2} height={200} />}
        {reading.value?.length === 0 && (
          <Empty title={t('No stones match your grades')}>
            <p>{t('Try a different weight, or include both origins.')}</p>
          </Empty>
        )}
        {reading.value && <GradePanels gems={reading.value} />}
      </div>
    </>
  )
}

/** An unknown shape or type in the address is sent as it is; the server explains the mistake. */
function parseQuery(params: URLSearchParams): CuratedQuery {
  const type = params.get('type')
  const group = params.get('group')
  const weight = Number(params.get('weight') ?? 1)
  return {
    weight: weight > 0 ? weight : 1,
    shape: (params.get('shape') ?? 'round') as CuratedQuery['shape'],
    types: type ? [type as CuratedQuery['types'][number]] : ['mined', 'lab grown'],
    count_per_grade: params.get('pair') === 'yes' ? 2 : 1,
    ...(group && { merchant_template_filters: { group } }),
    explain: true,
  }
}

function WeightField({ weight }: { weight: number }) {
  const [text, setText] = useState(numberText(weight))
  useEffect(() => setText(numberText(weight)), [weight])
  const commit = () => {
    const value = numberIn(text)
    if (value > 0) go(withParams({ weight: String(value) }))
  }
  return (
    <label class="field">
      <span>{t('Carat')}</span>
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

/** One panel for each template, in the order of the templates. */
function GradePanels({ gems }: { gems: CuratedGem[] }) {
  const labels = [...new Set(gems.map((gem) => templateOf(gem)))]
  return (
    <div class="columns">
      {labels.map((label) => {
        const stones = gems.filter((gem) => templateOf(gem) === label)
        const sum = stones.reduce((total, gem) => total + gem.retail_price, 0)
        return (
          <section key={label} class="panel" aria-label={label}>
            <div class="panel-head">
              <h2>{stones[0].merchant_template_label}</h2>
              <span class="muted small">{stones[0].merchant_template_group}</span>
              {stones[0].is_pair && (
                <span class="tag is-accent">
                  {t('Pair: {price}', { price: money(sum, stones[0].currency_code) })}
                </span>
              )}
            </div>
            <ul class="cards">
              {stones.map((gem) => (
                <StoneCard key={gem.sku} gem={gem} />
              ))}
            </ul>
            <Reasons gem={stones[0]} />
          </section>
        )
      })}
    </div>
  )
}

function templateOf(gem: CuratedGem): string {
  return `${gem.merchant_template_group} ${gem.merchant_template_label}`
}

function Reasons({ gem }: { gem: CuratedGem }) {
  if (!gem.match) return null
  return (
    <ul class="small muted" style={{ marginTop: '12px', listStyle: 'disc', paddingLeft: '18px' }}>
      {gem.match.reasons.map((reason) => {
        const text = reasonText(reason)
        return (
          <li key={reason} lang={text === undefined ? 'en' : undefined}>
            {text ?? reason}
          </li>
        )
      })}
    </ul>
  )
}
