/** How stones are printed for the operator. */
import type { listGems } from '../../gems/operator/list-gems.ts'
import { OVERRIDE_FIELDS } from '../../gems/operator/override-fields.ts'
import type { OperatorGem } from '../../gems/operator/read-gem.ts'
import { tableOf } from './table.ts'

type GemList = Awaited<ReturnType<typeof listGems>> & { offset: number }

export function showGems({ gems, total, offset }: GemList): string {
  const table = tableOf(
    gems,
    {
      sku: 'SKU',
      supplier: 'Supplier',
      vendor_sku: 'Stock number',
      product_type: 'Product',
      shape: 'Shape',
      weight: 'Weight',
      color: 'Color',
      clarity: 'Clarity',
      lab: 'Lab',
      cert_num: 'Certificate',
      wholesale_price: 'Price',
      wholesale_price_us: 'US price',
      state: 'State',
      is_manual: 'By hand',
    },
    'No stone matches.',
  )
  if (gems.length === 0) return table
  const count = total.toLocaleString('en')
  return `${table}\n\n${offset + 1} to ${offset + gems.length} of ${count}.`
}

/** The fields that a person looks for; `--json` has all of them. */
const FIELDS = [
  ['SKU', 'sku'],
  ['Supplier', 'supplier'],
  ['Stock number', 'vendor_sku'],
  ['Product', 'product_type'],
  ['Type', 'type'],
  ['Shape', 'shape'],
  ['Weight', 'weight'],
  ['Color', 'color'],
  ['Clarity', 'clarity'],
  ['Laboratory', 'lab'],
  ['Certificate', 'cert_num'],
  ['Cost', 'cost'],
  ['Wholesale price', 'wholesale_price'],
  ['US price', 'wholesale_price_us'],
  ['List price', 'off_rap_price'],
  ['Quantity', 'quantity'],
  ['State', 'state'],
  ['Enabled', 'enabled'],
  ['Note', 'note'],
] as const satisfies readonly (readonly [string, keyof OperatorGem])[]

export function showGem(gem: OperatorGem): string {
  const known = FIELDS.filter(([, field]) => gem[field] !== null).map(([name, field]) => ({
    name,
    value: gem[field],
  }))
  const held = gem.hold
    ? [{ name: 'Held by', value: `${gem.hold.merchant} until ${gem.hold.expires_on}` }]
    : []
  return [
    tableOf([...known, ...held], { name: 'Field', value: 'Value' }, ''),
    '',
    overrideTable(gem),
    '',
    tableOf(
      gem.offers,
      {
        sku: 'Offer',
        supplier: 'Supplier',
        state: 'State',
        wholesale_price: 'Price',
        wholesale_price_us: 'US price',
        leads: 'Leads',
        leads_us: 'Leads in the US',
      },
      '',
    ),
    '',
    historyTable(gem),
  ].join('\n')
}

function overrideTable({ overrides, feed_values }: OperatorGem): string {
  const set = OVERRIDE_FIELDS.filter((field) => Object.hasOwn(overrides, field))
  const rows = set.map((field) => ({ field, value: overrides[field], feed: feed_values[field] }))
  const headings = { field: 'Set by hand', value: 'Value', feed: "The feed's value" }
  return tableOf(rows, headings, 'Nothing is set by hand.')
}

function historyTable({ history }: OperatorGem): string {
  const rows = history.map(({ changed_on, action, actor, changes }) => ({
    changed_on,
    action,
    actor: actor.name ?? actor.kind,
    changes: Object.entries(changes).map(
      ([field, { from, to }]) => `${field}: ${printed(from)} → ${printed(to)}`,
    ),
  }))
  const headings = { changed_on: 'When', action: 'What', actor: 'Who', changes: 'Changes' }
  return tableOf(rows, headings, 'Nothing is recorded.')
}

function printed(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
