import { useRead } from '../api/hooks.ts'
import { readScoreCard, type ScoreCard } from '../api/supplier.ts'
import { count, decimal, percent } from '../lib/format.ts'
import { Loading, PageProblem } from '../parts/feedback.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'

type Period = ScoreCard['periods'][number]

/** How well the supplier delivers, as the operator sees it, too. */
export function ScoreCardPage() {
  const reading = useRead('score card', (signal) => readScoreCard(signal))
  const card = reading.value
  if (!card) {
    if (!reading.problem) return <Loading rows={3} height={90} />
    return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  }
  const figures: [string, string][] = [
    ['Stones on sale', count(card.stones)],
    ['Hours since your last file', hours(card.hours_since_import)],
    ['With pictures or videos', share(card.share_with_media)],
    ['With a certificate', share(card.share_with_certificate)],
    ['Dead links to media', share(card.share_dead_media)],
  ]
  return (
    <>
      <div class="page-head">
        <h1>Score card</h1>
        <p class="page-lead">The operator of the market sees the same figures.</p>
      </div>
      <dl class="tiles">
        {figures.map(([label, value]) => (
          <div key={label} class="tile">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <PeriodTable periods={card.periods} />
      {card.periods.map((period) => (
        <Rejections key={period.days} period={period} />
      ))}
    </>
  )
}

const ROWS: [label: string, value: (period: Period) => string][] = [
  ['Rows in your files', ({ rows }) => count(rows)],
  ['Rejected rows', ({ share_rejected }) => share(share_rejected)],
  ['Ordered lines', ({ order_lines }) => count(order_lines)],
  ['Declined lines', ({ share_declined }) => share(share_declined)],
  ['Cancelled lines', ({ share_cancelled }) => share(share_cancelled)],
  ['Hours to confirm', ({ hours_to_confirm }) => hours(hours_to_confirm)],
  ['Hours to ship', ({ hours_to_ship }) => hours(hours_to_ship)],
  ['Dead links to media', ({ share_dead_media }) => share(share_dead_media)],
  ['Price changes a day', ({ price_changes_per_day }) => decimal(price_changes_per_day, 1)],
]

function PeriodTable({ periods }: { periods: Period[] }) {
  return (
    <ScrollArea label="Figures by period">
      <table>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            {periods.map(({ days }) => (
              <th key={days} scope="col" class="number">
                {days} days
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([label, value]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {periods.map((period) => (
                <td key={period.days} class="number">
                  {value(period)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function Rejections({ period: { days, rejections } }: { period: Period }) {
  if (rejections.length === 0) return null
  return (
    <section class="panel" style={{ marginTop: '16px' }} aria-label={`Rejected in ${days} days`}>
      <h2>Why rows were rejected in {days} days</h2>
      <ul>
        {rejections.map(({ reason, rows }) => (
          <li key={reason}>
            {reason}: {count(rows)}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Nothing to count is shown as a dash. */
function share(value: number | null): string {
  return value === null ? '–' : percent(value * 100)
}

function hours(value: number | null): string {
  return value === null ? '–' : decimal(value, 1)
}
