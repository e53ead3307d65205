import { useRead } from '../../api/hooks.ts'
import { readFigures } from '../../api/operator.ts'
import { t } from '../../language/language.ts'
import { useLocation } from '../../lib/router.ts'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Chart } from './chart.tsx'
import { FiguresTable } from './figures-table.tsx'
import { MEASURES } from './measures.ts'
import { pointsOf, stepsOf } from './points.ts'
import { dayText, rangeBefore, rangeIn } from './range.ts'
import { RangeForm } from './range-form.tsx'
import { Exposure, Totals } from './totals.tsx'

/** Sales, margin, searches and feeds over time. */
export function FiguresPage() {
  const { params } = useLocation()
  const { name, range } = rangeIn(params)
  const isCompared = params.get('compare') !== 'no'
  const reading = useRead(JSON.stringify({ range, isCompared }), async (signal) => {
    const [figures, before] = await Promise.all([
      readFigures(range, signal),
      isCompared ? readFigures(rangeBefore(range), signal) : undefined,
    ])
    return { figures, before, steps: stepsOf(figures, before) }
  })
  const { figures, before, steps } = reading.value ?? {}
  const days = { from: dayText(range.from), to: dayText(range.to) }
  return (
    <>
      <div class="page-head">
        <h1>{t('Figures')}</h1>
        <span class="muted">{t('{from} to {to}', days)}</span>
        <p class="page-lead small">{t('Days are those of UTC. Amounts are at wholesale.')}</p>
      </div>
      <RangeForm name={name} range={range} isCompared={isCompared} />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!figures && !reading.problem && <Loading rows={4} height={90} />}
      {figures && steps && (
        <div class="stack figures">
          <Totals totals={figures.totals} {...(before && { before })} />
          <Exposure exposure={figures.exposure} />
          <div class="columns is-wide">
            {MEASURES.map((measure) => (
              <section key={measure.name} class="panel" aria-label={measure.label}>
                <h2>{measure.label}</h2>
                <Chart measure={measure} points={pointsOf(steps, measure)} />
              </section>
            ))}
          </div>
          <FiguresTable figures={figures} before={before} steps={steps} />
        </div>
      )}
    </>
  )
}
