import type { ComponentChildren } from 'preact'
import type { Gem } from '../api/gems.ts'
import { showsMedia } from '../api/media.ts'
import { t, tIn } from '../language/language.ts'
import { isCustomerView } from '../lib/customer-view.ts'
import {
  capitalize,
  carats,
  countryName,
  date,
  decimal,
  humanize,
  millimeters,
  percent,
  plural,
  sameOriginPath,
} from '../lib/format.ts'
import { choiceLabel } from '../search/labels.ts'
import { colorText, gemstoneTexts, labName, treatmentText, valueLabel } from './labels.ts'

type Fact = [label: string, value: ComponentChildren]

/** The grades and proportions of a stone, and the terms of its sale. */
export function StoneFacts({ gem }: { gem: Gem }) {
  return (
    <>
      <FactPanel title={t('Stone')} facts={stoneFacts(gem)} />
      <FactPanel title={t('Proportions')} facts={proportionFacts(gem)} />
      {!isCustomerView && <FactPanel title={t('Terms')} facts={termFacts(gem)} />}
    </>
  )
}

function FactPanel({ title, facts }: { title: string; facts: Fact[] }) {
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{title}</h2>
      </div>
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

/** What makes the price of a gemstone, and grades if it has any. */
function gemstoneFacts(gem: Gem): Fact[] {
  const [origin, treatment] = gemstoneTexts(gem)
  const grades: Fact[] = [
    [t('Clarity'), gem.clarity],
    [t('Cut'), gem.cut_grade],
    [t('Polish'), gem.polish_grade],
    [t('Symmetry'), gem.symmetry_grade],
  ]
  return [
    [t('Species'), gem.stone_type ? capitalize(humanize(gem.stone_type)) : '–'],
    [t('Shape'), capitalize(humanize(gem.shape))],
    [t('Carat'), carats(gem.weight)],
    [t('Color'), gem.color ? capitalize(humanize(gem.color)) : '–'],
    [t('Country of origin'), origin || '–'],
    [t('Treatment'), treatment ? capitalize(treatment) : t('not known')],
    ...grades.filter(([, value]) => value !== null),
    [t('Origin'), originOf(gem)],
    [t('Certificate'), certificate(gem)],
  ]
}

function stoneFacts(gem: Gem): Fact[] {
  if (gem.product_type === 'gemstone') return gemstoneFacts(gem)
  const treatment = treatmentText(gem)
  return [
    [t('Shape'), capitalize(humanize(gem.shape))],
    [t('Carat'), carats(gem.weight)],
    [t('Color'), colorText(gem)],
    [t('Clarity'), gem.clarity ?? '–'],
    [t('Cut'), gem.cut_grade ?? '–'],
    [t('Polish'), gem.polish_grade ?? '–'],
    [t('Symmetry'), gem.symmetry_grade ?? '–'],
    [t('Fluorescence'), gem.fluorescence ? tIn('fluorescence', gem.fluorescence) : '–'],
    [t('Origin'), originOf(gem)],
    ...(treatment ? [[t('Treatment'), capitalize(treatment)] satisfies Fact] : []),
    [t('Eye clean'), gem.eye_clean ? tIn('eye_clean', gem.eye_clean) : '–'],
    [t('Certificate'), certificate(gem)],
  ]
}

function originOf(gem: Gem): string {
  return gem.grow_method ? `${valueLabel(gem.type)}, ${gem.grow_method}` : valueLabel(gem.type)
}

function certificate(gem: Gem): ComponentChildren {
  if (!gem.cert_num) return tIn('certificate', 'None')
  const name = [labName(gem), gem.cert_num].filter(Boolean).join(' ')
  // What the page shows itself needs no link, which would name the supplier's host.
  const url = sameOriginPath(gem.cert_url) ?? (showsMedia() ? null : gem.cert_url)
  if (!url) return name
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {name}
    </a>
  )
}

function proportionFacts(gem: Gem): Fact[] {
  const ends = [gem.girdle_max, gem.girdle_min].flatMap((end) => end ?? [])
  const girdle = ends.map((end) => choiceLabel('girdle_min', end))
  return [
    [t('Measurements'), millimeters(gem.length, gem.width, gem.depth)],
    [t('Length-to-width ratio'), decimal(gem.ratio)],
    [t('Table'), percent(gem.table_percentage)],
    [t('Depth'), percent(gem.depth_percentage)],
    [t('Crown angle'), gem.crown_angle === null ? '–' : `${decimal(gem.crown_angle, 1)}°`],
    [t('Pavilion angle'), gem.pavilion_angle === null ? '–' : `${decimal(gem.pavilion_angle, 1)}°`],
    [t('Girdle'), girdle.length > 0 ? [...new Set(girdle)].join(' – ') : '–'],
    [t('Culet'), gem.culet_size ? choiceLabel('culet_size', gem.culet_size) : '–'],
  ]
}

const days = (amount: number | null) => (amount === null ? '–' : plural(amount, 'day'))

function deliveryText({ delivery_days_min: from, delivery_days_max: to }: Gem): string {
  if (to === null || from === null || from === to) return days(to)
  return t('{from} to {to} days', { from, to })
}

function returnText({ returnable, days_to_return }: Gem): string {
  if (!returnable) return t('No returns')
  return t('Within {days}', { days: days(days_to_return) })
}

function termFacts(gem: Gem): Fact[] {
  return [
    [t('Delivery'), deliveryText(gem)],
    [t('Location'), gem.country_code ? countryName(gem.country_code) : '–'],
    [t('Returns'), returnText(gem)],
    [t('Memo'), gem.memo ? days(gem.memo_days_to_return) : t('Not available')],
    [t('Hold'), gem.can_hold ? t('Available') : t('Not available')],
    [t('On the market since'), date(gem.created_on)],
  ]
}
