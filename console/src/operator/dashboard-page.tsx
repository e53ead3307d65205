import { useEffect } from 'preact/hooks'
import { useRead } from '../api/hooks.ts'
import { type Overview, readOverview } from '../api/operator.ts'
import { capitalize, count, fromNow, humanize } from '../lib/format.ts'
import { Loading, ProblemNote } from '../parts/feedback.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'

const REFRESH_MS = 15_000

/** The state of the market: stock, orders, searches and health. */
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
        <h1>Overview</h1>
        {overview && <Health health={overview.health} />}
      </div>
      <ProblemNote problem={reading.problem} onRetry={reload} />
      {!overview && !reading.problem && <Loading rows={4} height={90} />}
      {overview && (
        <>
          <Tiles overview={overview} />
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
  if (bad.length === 0) return <span class="tag is-good">All systems normal</span>
  return (
    <span class="tag is-bad">{bad.map(({ name, result }) => `${name}: ${result}`).join(', ')}</span>
  )
}

function Tiles({ overview }: { overview: Overview }) {
  const tiles: [string, number, string][] = [
    ['Stones for sale', overview.stock.total, '/operator/imports'],
    ['Orders today', overview.orders.today, '/operator/orders'],
    ['Open orders', overview.orders.open, '/operator/orders?shipping=unfulfilled'],
    ['Unpaid invoices', overview.orders.unpaid, '/operator/orders?payment=unpaid&type=invoice'],
    ['Overdue memos', overview.orders.overdue_memos, '/operator/orders?overdue=yes'],
    ['Merchants', overview.merchants.total, '/operator/merchants'],
  ]
  return (
    <dl class="tiles">
      {tiles.map(([label, value, href]) => (
        <div key={label} class="tile">
          <dt>
            <a href={href}>{label}</a>
          </dt>
          <dd>{count(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function SupplierStock({ stock }: { stock: Overview['stock'] }) {
  // Vendors of jewelry are suppliers too, but have no stones.
  const suppliers = stock.by_supplier.filter((each) => each.stones > 0 || each.synced_on !== null)
  return (
    <ScrollArea label="Stock by supplier">
      <div class="panel-head">
        <h2>Stock by supplier</h2>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">Supplier</th>
            <th scope="col" class="number">
              For sale
            </th>
            <th scope="col">Last import</th>
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

function ShapeStock({ stock }: { stock: Overview['stock'] }) {
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>Stock by shape</h2>
      </div>
      <Bars rows={stock.by_shape.slice(0, 12).map(({ shape, stones }) => [shape, stones])} />
    </section>
  )
}

function StateStock({ stock }: { stock: Overview['stock'] }) {
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>Stock by status</h2>
      </div>
      <Bars rows={stock.by_state.map(({ state, stones }) => [state, stones])} />
    </section>
  )
}

function SearchBars({ perMinute }: { perMinute: number[] }) {
  const now = perMinute.length
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>Searches per minute</h2>
        <span class="muted small">all nodes, last 15 minutes</span>
      </div>
      <Bars
        rows={perMinute
          .map((value, index): [string, number] => [minutesAgo(now - 1 - index), value])
          .toReversed()
          .slice(0, 8)}
      />
    </section>
  )
}

function minutesAgo(minutes: number): string {
  return minutes === 0 ? 'this minute' : `${minutes} min ago`
}

function Bars({ rows }: { rows: [string, number][] }) {
  const most = rows.reduce((top, [, value]) => Math.max(top, value), 1)
  return (
    <ul class="bars">
      {rows.map(([label, value]) => (
        <li key={label} class="bar">
          <span>{capitalize(humanize(label))}</span>
          <span class="bar-line">
            <i style={{ width: `${(value / most) * 100}%` }} />
          </span>
          <span>{count(value)}</span>
        </li>
      ))}
    </ul>
  )
}
