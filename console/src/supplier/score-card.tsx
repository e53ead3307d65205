import type { ScoreCard } from '../api/supplier.ts'
import { ReasonText } from '../imports/reason-text.tsx'
import { t } from '../language/language.ts'
import { count, decimal, percent } from '../lib/format.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'

type Period = ScoreCard['periods'][number]

/** The figures of a score card, as the supplier and the operator see them. */
export function ScoreCardFigures({ card }: { card: ScoreCard }) {
  const figures: [string, string][] = [
    [t('Stones on sale'), count(card.stones)],
    [t('Hours since the last file'), hours(card.hours_since_import)],
    [t('With pictures or videos'), share(card.share_with_media)],
    [t('With a certificate'), share(card.share_with_certificate)],
    [t('Dead links to media'), share(card.share_dead_media)],
  ]
  return (
    <>
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
  [t('Rows of files'), ({ rows }) => count(rows)],
  [t('Rejected rows'), ({ share_rejected }) => share(share_rejected)],
  [t('Ordered lines'), ({ order_lines }) => count(order_lines)],
  [t('Declined lines'), ({ share_declined }) => share(share_declined)],
  [t('Cancelled lines'), ({ share_cancelled }) => share(share_cancelled)],
  [t('Hours to confirm'), ({ hours_to_confirm }) => hours(hours_to_confirm)],
  [t('Hours to ship'), ({ hours_to_ship }) => hours(hours_to_ship)],
  [t('Dead links to media'), ({ share_dead_media }) => share(share_dead_media)],
  [t('Price changes a day'), ({ price_changes_per_day }) => decimal(price_changes_per_day, 1)],
]

function PeriodTable({ periods }: { periods: Period[] }) {
  return (
    <ScrollArea label={t('Figures by period')} class="panel wide-scroll is-compact">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Figure')}</th>
            {periods.map(({ days }) => (
              <th key={days} scope="col" class="number">
                {t('{days} days', { days })}
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

/** The reasons are the import's own sentences. */
function Rejections({ period: { days, rejections } }: { period: Period }) {
  if (rejections.length === 0) return null
  const title = t('Why rows were rejected in {days} days', { days })
  return (
    <section class="panel" style={{ marginTop: '16px' }} aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {rejections.map(({ reason, rows }) => (
          <li key={reason}>
            <ReasonText text={reason} />: {count(rows)}
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
