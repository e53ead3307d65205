import type { StockStone } from '../../api/stock.ts'
import { t } from '../../language/language.ts'
import { fieldLabel } from '../../lib/field-name.ts'
import { carats, millimeters, money, percent } from '../../lib/format.ts'
import { shownValue } from './values.ts'

type Field = keyof StockStone

const GROUPS: readonly (readonly [title: string, fields: readonly Field[]])[] = [
  [
    t('Stone'),
    [
      'product_type',
      'type',
      'species',
      'origin',
      'shape',
      'weight',
      'quantity',
      'color',
      'color_max',
      'clarity',
      'clarity_max',
      'fancy_color_intensity',
      'overtone',
      'cut_grade',
      'polish_grade',
      'symmetry_grade',
      'fluorescence',
      'eye_clean',
      'milky',
      'shade',
      'black_inclusion',
      'treatment',
      'grow_method',
    ],
  ],
  [
    t('Proportions'),
    [
      'length',
      'width',
      'depth',
      'ratio',
      'depth_percentage',
      'table_percentage',
      'crown_angle',
      'pavilion_angle',
      'pavilion_depth',
      'culet_size',
      'girdle_min',
      'girdle_max',
    ],
  ],
  [t('Certificate'), ['lab', 'lab_name', 'cert_num', 'certificate']],
  [
    t('Terms'),
    [
      'country_code',
      'delivery_days_min',
      'delivery_days_max',
      'days_to_return',
      'memo_days_to_return',
      'internal_days_to_return',
      'pair_sku',
      'pair_vendor_sku',
      'pair_separable',
      'created_on',
      'updated_on',
    ],
  ],
]

/** What is known of the stone; what the operator can change is in the table of corrections. */
export function StoneFacts({ stone }: { stone: StockStone }) {
  return (
    <>
      <Prices stone={stone} />
      {GROUPS.map(([title, fields]) => (
        <FactPanel key={title} title={title} facts={factsOf(stone, fields)} />
      ))}
    </>
  )
}

type Fact = readonly [label: string, value: string]

function FactPanel({ title, facts }: { title: string; facts: readonly Fact[] }) {
  if (facts.length === 0) return null
  return (
    <section class="panel stack" aria-label={title}>
      <h2>{title}</h2>
      <dl class="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Fields that the stone does not have are left out. */
function factsOf(stone: StockStone, fields: readonly Field[]): Fact[] {
  return fields
    .filter((field) => stone[field] !== null && stone[field] !== undefined)
    .map((field) => [fieldLabel(field), shownFact(field, stone[field])] as const)
}

function shownFact(field: Field, value: unknown): string {
  if (/^(length|width|depth)$/.test(field)) return millimeters(Number(value))
  if (field === 'weight') return carats(Number(value))
  if (field.endsWith('_percentage')) return percent(Number(value))
  return shownValue(field, value)
}

function Prices({ stone }: { stone: StockStone }) {
  const { cost, wholesale_price, wholesale_price_us, off_rap_price } = stone
  const facts: Fact[] = [
    [t("The supplier's price"), money(cost, 'USD')],
    [fieldLabel('wholesale_price'), money(wholesale_price, 'USD')],
    [fieldLabel('wholesale_price_us'), money(wholesale_price_us, 'USD')],
  ]
  if (off_rap_price !== null) {
    const source = stone.off_rap_price_from_grid ? t('by the price grid') : t('by the supplier')
    facts.push([t('List price'), `${money(off_rap_price, 'USD')} (${source})`])
  }
  if (stone.product_type === 'melee') facts.push([t('Price'), t('per carat')])
  return <FactPanel title={t('Prices')} facts={facts} />
}
