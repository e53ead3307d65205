import { useEffect } from 'preact/hooks'
import { useRead } from '../api/hooks.ts'
import { type Overview, readFigures, readOverview } from '../api/operator.ts'
import { t } from '../language/language.ts'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { Chart } from './figures/chart.tsx'
import { MEASURES } from './figures/measures.ts'
import { pointsOf, stepsOf } from './figures/points.ts'
import { lastDays } from './figures/range.ts'
import { SearchBars, ShapeStock, StateStock, SupplierStock } from './figures/stock-panels.tsx'
import { WaitingList } from './figures/waiting.tsx'

const REFRESH_MS = 30_000
const DAYS = 30
/** The figures of the first page; all of them are on the page of figures. */
const SHOWN = new Set(['sold', 'margin', 'orders', 'searches', 'source_runs', 'payments'])

/** What needs the operator now, then the last month, then the state of the market. */
export function DashboardPage() {
  const reading = useRead('overview', (signal) => readOverview(signal))
  const { reload } = reading
  useEffect(() => {
    const timer = setInterval(reload, REFRESH_MS)
    return () => clearInterval(timer)
  }, [reload])
  const overview = reading.value
  return (
    <>
      <div class="page-head">
        <h1>{t('Overview')}</h1>
        {overview && <Health health={overview.health} />}
      </div>
      <ProblemNote problem={reading.problem} onRetry={reload} />
      {!overview && !reading.problem && <Loading rows={4} height={90} />}
      {overview && (
        <>
          <WaitingList waiting={overview.waiting} />
          <LastDays />
          <h2 class="section-head">{t('Stock and searches')}</h2>
          <div class="columns">
            <SupplierStock stock={overview.stock} />
            <ShapeStock stock={overview.stock} />
            <SearchBars perMinute={overview.searches_per_minute} />
            <StateStock stock={overview.stock} />
          </div>
        </>
      )}
    </>
  )
}

function Health({ health }: { health: Overview['health'] }) {
  const bad = health.checks.filter(({ result }) => result !== 'ok')
  if (bad.length === 0) return <span class="tag is-good">{t('All systems normal')}</span>
  return (
    <span class="tag is-bad" lang="en">
      {bad.map(({ name, result }) => `${name}: ${result}`).join(', ')}
    </span>
  )
}

/** Small charts, each of which leads to the large ones. */
function LastDays() {
  const reading = useRead('last days', (signal) => readFigures(lastDays(DAYS), signal))
  const steps = reading.value && stepsOf(reading.value, undefined)
  return (
    <section aria-labelledby="last-days">
      <div class="section-head">
        <h2 id="last-days">{t('The last 30 days')}</h2>
        <a href="/operator/figures">{t('All figures')}</a>
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!steps && !reading.problem && <Loading rows={1} height={190} />}
      {steps && (
        <div class="columns">
          {MEASURES.filter(({ name }) => SHOWN.has(name)).map((measure) => (
            <section key={measure.name} class="panel" aria-label={measure.label}>
              <h3>{measure.label}</h3>
              <Chart measure={measure} points={pointsOf(steps, measure)} size="small" />
            </section>
          ))}
        </div>
      )}
    </section>
  )
}
