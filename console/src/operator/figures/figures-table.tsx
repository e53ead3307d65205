import type { Figures } from '../../api/operator.ts'
import { t } from '../../language/language.ts'
import { downloadTable, type TableFormat } from '../../lib/download.ts'
import { FormatButtons } from '../../parts/export-button.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { SortHead, useSorted } from '../../parts/table/sort.tsx'
import type { Bucket } from './buckets.ts'
import { COLUMNS, valueText } from './measures.ts'
import { bucketText, type Steps } from './points.ts'

const VALUES = {
  day: ({ from }: Bucket) => from,
  ...Object.fromEntries(COLUMNS.map(([name]) => [name, ({ values }: Bucket) => values[name]])),
}

/** The numbers of the charts, the latest first unless sorted otherwise, and their sums. */
export function FiguresTable(props: {
  figures: Figures
  before: Figures | undefined
  steps: Steps
}) {
  const { figures, before, steps } = props
  const buckets = useSorted(steps.buckets.toReversed(), VALUES)
  return (
    <ScrollArea label={t('All figures')}>
      <div class="panel-head">
        <h2>{t('All figures')}</h2>
        <div class="panel-tools">
          <FormatButtons onSave={(format) => void save(format, figures)} />
        </div>
      </div>
      <table class="figures-table">
        <thead>
          <tr>
            <SortHead by="day">{t('Days')}</SortHead>
            {COLUMNS.map(([name, label]) => (
              <SortHead key={name} by={name} first="desc" class="number">
                {label}
              </SortHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket) => (
            <ValueRow key={bucket.from} label={bucketText(bucket)} values={bucket.values} />
          ))}
        </tbody>
        <tfoot>
          <ValueRow label={t('Together')} values={figures.totals} />
          {before && <ValueRow label={t('Period before')} values={before.totals} />}
        </tfoot>
      </table>
    </ScrollArea>
  )
}

function ValueRow({ label, values }: { label: string; values: Figures['totals'] }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      {COLUMNS.map(([name, , unit]) => (
        <td key={name} class={values[name] === 0 ? 'number muted' : 'number'}>
          {valueText(values[name], unit)}
        </td>
      ))}
    </tr>
  )
}

/** Day by day, whatever the charts add up. */
function save(format: TableFormat, { from, to, days }: Figures): Promise<void> {
  return downloadTable(
    format,
    `figures-${from}-${to}.csv`,
    [t('Day'), ...COLUMNS.map(([, label, unit]) => (unit === 'USD' ? `${label} (USD)` : label))],
    days.map((day) => [day.day, ...COLUMNS.map(([name]) => day[name])]),
  )
}
