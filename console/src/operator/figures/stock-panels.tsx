import type { Overview } from '../../api/operator.ts'
import { t } from '../../language/language.ts'
import { capitalize, count, fromNow, humanize } from '../../lib/format.ts'
import { ScrollArea } from '../../parts/scroll-area.tsx'

type Stock = Overview['stock']

export function SupplierStock({ stock }: { stock: Stock }) {
  // Vendors of jewelry are suppliers too, but have no stones.
  const suppliers = stock.by_supplier.filter((each) => each.stones > 0 || each.synced_on !== null)
  return (
    <ScrollArea label={t('Stock by supplier')}>
      <div class="panel-head">
        <h2>{t('Stock by supplier')}</h2>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Supplier')}</th>
            <th scope="col" class="number">
              {t('For sale')}
            </th>
            <th scope="col">{t('Last import')}</th>
          </tr>
        </thead>
        <tbody>
          {suppliers.map((each) => (
            <tr key={each.supplier}>
              <td>{each.supplier}</td>
              <td class="number">{count(each.stones)}</td>
              <td>
                <span class={each.fresh ? 'tag is-good' : 'tag is-bad'}>
                  {fromNow(each.synced_on)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

export function ShapeStock({ stock }: { stock: Stock }) {
  const rows = stock.by_shape.slice(0, 12)
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{t('Stock by shape')}</h2>
      </div>
      <Bars rows={rows.map(({ shape, stones }) => [capitalize(humanize(shape)), stones])} />
    </section>
  )
}

export function StateStock({ stock }: { stock: Stock }) {
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{t('Stock by status')}</h2>
      </div>
      <Bars
        rows={stock.by_state.map(({ state, stones }) => [capitalize(humanize(state)), stones])}
      />
    </section>
  )
}

const MINUTES_SHOWN = 8

export function SearchBars({ perMinute }: { perMinute: number[] }) {
  const newest = perMinute.toReversed().slice(0, MINUTES_SHOWN)
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{t('Searches per minute')}</h2>
        <span class="muted small">{t('on all nodes')}</span>
      </div>
      <Bars rows={newest.map((value, minutes) => [minutesAgo(minutes), value])} />
    </section>
  )
}

function minutesAgo(minutes: number): string {
  return minutes === 0 ? t('This minute') : t('{n} min ago', { n: minutes })
}

function Bars({ rows }: { rows: [string, number][] }) {
  const most = rows.reduce((top, [, value]) => Math.max(top, value), 1)
  return (
    <ul class="bars">
      {rows.map(([label, value]) => (
        <li key={label} class="bar">
          <span>{label}</span>
          <span class="bar-line">
            <i style={{ width: `${(value / most) * 100}%` }} />
          </span>
          <span>{count(value)}</span>
        </li>
      ))}
    </ul>
  )
}
