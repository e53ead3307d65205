import type { ComponentChildren } from 'preact'
import type { Gem } from '../api/gem.ts'
import {
  capitalize,
  carats,
  date,
  decimal,
  humanize,
  millimeters,
  percent,
  sameOriginPath,
} from '../lib/format.ts'
import { valueLabel } from '../search/filter-chips.tsx'

type Fact = [label: string, value: ComponentChildren]

/** What the certificate says, and on what terms the stone is offered. */
export function StoneFacts({ gem }: { gem: Gem }) {
  return (
    <>
      <FactPanel title="The stone" facts={stoneFacts(gem)} />
      <FactPanel title="Proportions" facts={proportionFacts(gem)} />
      <FactPanel title="Terms" facts={termFacts(gem)} />
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

function stoneFacts(gem: Gem): Fact[] {
  return [
    ['Shape', capitalize(humanize(gem.shape))],
    ['Weight', carats(gem.weight)],
    ['Colour', colorOf(gem)],
    ['Clarity', gem.clarity ?? '–'],
    ['Cut', gem.cut_grade ?? '–'],
    ['Polish', gem.polish_grade ?? '–'],
    ['Symmetry', gem.symmetry_grade ?? '–'],
    ['Fluorescence', gem.fluorescence ?? '–'],
    ['Origin', growth(gem)],
    ['Eye clean', gem.eye_clean ?? '–'],
    ['Certificate', certificate(gem)],
  ]
}

function colorOf(gem: Gem): string {
  if (!gem.color) return '–'
  if (!gem.is_fancy) return gem.color
  const parts = [gem.fancy_color_intensity, gem.overtone, gem.color]
  return parts.flatMap((part) => (part ? [valueLabel(part)] : [])).join(' ')
}

function growth(gem: Gem): string {
  return gem.grow_method ? `${valueLabel(gem.type)}, ${gem.grow_method}` : valueLabel(gem.type)
}

function certificate(gem: Gem): ComponentChildren {
  if (!gem.cert_num) return 'none'
  const name = [gem.lab, gem.cert_num].filter(Boolean).join(' ')
  const url = sameOriginPath(gem.cert_url) ?? gem.cert_url
  if (!url) return name
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {name}
    </a>
  )
}

function proportionFacts(gem: Gem): Fact[] {
  const girdle = [gem.girdle_max, gem.girdle_min].filter(Boolean)
  return [
    ['Measurements', millimeters(gem.length, gem.width, gem.depth)],
    ['Length to width', decimal(gem.ratio)],
    ['Table', percent(gem.table_percentage)],
    ['Depth', percent(gem.depth_percentage)],
    ['Crown angle', gem.crown_angle === null ? '–' : `${decimal(gem.crown_angle, 1)}°`],
    ['Pavilion angle', gem.pavilion_angle === null ? '–' : `${decimal(gem.pavilion_angle, 1)}°`],
    ['Girdle', girdle.length > 0 ? [...new Set(girdle)].join(' to ') : '–'],
    ['Culet', gem.culet_size ?? '–'],
  ]
}

function termFacts(gem: Gem): Fact[] {
  const [from, to] = [gem.delivery_days_min, gem.delivery_days_max]
  return [
    ['Delivery', to === null ? '–' : from === to ? `${to} days` : `${from ?? 0} to ${to} days`],
    ['Lies in', gem.country_code ?? '–'],
    ['Return', gem.returnable ? `within ${gem.days_to_return ?? '–'} days` : 'not possible'],
    ['Memo', gem.memo ? `${gem.memo_days_to_return ?? '–'} days` : 'not possible'],
    ['Hold', gem.can_hold ? 'possible' : 'not possible'],
    ['On the market since', date(gem.created_on)],
  ]
}
