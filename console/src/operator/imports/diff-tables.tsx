import type { ImportDiff } from '../../api/imports.ts'
import { count, humanize, percent } from '../../lib/format.ts'

const SHOWN_MAX = 50

type Row = { key: string; cells: string[] }

/** Stone by stone: what would be new, changed, gone, and whose price jumps. */
export function DiffTables({ diff }: { diff: ImportDiff }) {
  return (
    <>
      <DiffTable
        title="Prices that jump"
        head={['Stone', 'From', 'To', 'Change']}
        rows={diff.price_jumps.map((jump) => ({
          key: jump.sku,
          cells: [jump.vendor_sku, jump.from, jump.to, percent(jump.percent)],
        }))}
      />
      <DiffTable
        title="Changed"
        head={['Stone', 'What changes']}
        rows={diff.changed.map((stone) => ({
          key: stone.sku,
          cells: [stone.vendor_sku, changesOf(stone.fields)],
        }))}
      />
      <DiffTable
        title="New"
        head={['Stone', 'Row', 'Wholesale, US dollars']}
        rows={diff.added.map((stone) => ({
          key: stone.vendor_sku,
          cells: [stone.vendor_sku, String(stone.row), stone.wholesale_price],
        }))}
      />
      <DiffTable
        title="Gone"
        head={['Stone', 'Wholesale, US dollars']}
        rows={diff.removed.map((stone) => ({
          key: stone.sku,
          cells: [stone.vendor_sku, stone.wholesale_price],
        }))}
      />
    </>
  )
}

function changesOf(fields: ImportDiff['changed'][number]['fields']): string {
  return Object.entries(fields)
    .map(([name, { from, to }]) => `${humanize(name)}: ${shown(from)} → ${shown(to)}`)
    .join('; ')
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : JSON.stringify(value)
}

function DiffTable(props: { title: string; head: string[]; rows: Row[] }) {
  const { title, head, rows } = props
  if (rows.length === 0) return null
  return (
    <details>
      <summary>
        {title} <span class="tag">{count(rows.length)}</span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by key */}
      <section class="wide-scroll small" tabIndex={0} aria-label={title}>
        <table>
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN_MAX).map((row) => (
              <tr key={row.key}>
                {row.cells.map((cell, index) => (
                  <td key={index}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > SHOWN_MAX && <p class="muted">and {count(rows.length - SHOWN_MAX)} more</p>}
      </section>
    </details>
  )
}
