import type { ImportDiff } from '../api/imports.ts'
import { t } from '../language/language.ts'
import { fieldName } from '../lib/field-name.ts'
import { count, percent } from '../lib/format.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'

const SHOWN_MAX = 50

type Row = { key: string; cells: string[] }

/** The changes stone by stone: price jumps, changed, new and removed stones. */
export function DiffTables({ diff }: { diff: ImportDiff }) {
  return (
    <>
      <DiffTable
        title={t('Price jumps')}
        head={[t('Stone'), t('From'), t('To'), t('Change')]}
        rows={diff.price_jumps.map((jump) => ({
          key: jump.sku,
          cells: [jump.vendor_sku, jump.from, jump.to, percent(jump.percent)],
        }))}
      />
      <DiffTable
        title={t('Changed')}
        head={[t('Stone'), t('Changes')]}
        rows={diff.changed.map((stone) => ({
          key: stone.sku,
          cells: [stone.vendor_sku, changesOf(stone.fields)],
        }))}
      />
      <DiffTable
        title={t('New')}
        head={[t('Stone'), t('Row'), t('Wholesale (USD)')]}
        rows={diff.added.map((stone) => ({
          key: stone.vendor_sku,
          cells: [stone.vendor_sku, String(stone.row), stone.wholesale_price ?? ''],
        }))}
      />
      <DiffTable
        title={t('Removed')}
        head={[t('Stone'), t('Wholesale (USD)')]}
        rows={diff.removed.map((stone) => ({
          key: stone.sku,
          cells: [stone.vendor_sku, stone.wholesale_price ?? ''],
        }))}
      />
    </>
  )
}

function changesOf(fields: ImportDiff['changed'][number]['fields']): string {
  return Object.entries(fields)
    .map(([name, { from, to }]) => `${fieldName(name)}: ${shown(from)} → ${shown(to)}`)
    .join('; ')
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return t('empty')
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
      <ScrollArea class="wide-scroll small" label={title}>
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
        {rows.length > SHOWN_MAX && (
          <p class="muted">{t('and {count} more', { count: count(rows.length - SHOWN_MAX) })}</p>
        )}
      </ScrollArea>
    </details>
  )
}
