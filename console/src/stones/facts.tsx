import type { ComponentChildren } from 'preact'
import type { Gem } from '../api/gems.ts'
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
import { colorText, valueLabel } from './labels.ts'

type Fact = [label: string, value: ComponentChildren]

/** The grades and proportions of a stone, and the terms of its sale. */
export function StoneFacts({ gem }: { gem: Gem }) {
  return (
    <>
      <FactPanel title="Stone" facts={stoneFacts(gem)} />
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
    ['Carat', carats(gem.weight)],
    ['Color', colorText(gem)],
    ['Clarity', gem.clarity ?? '–'],
    ['Cut', gem.cut_grade ?? '–'],
    ['Polish', gem.polish_grade ?? '–'],
    ['Symmetry', gem.symmetry_grade ?? '–'],
    ['Fluorescence', gem.fluorescence ?? '–'],
    ['Origin', originOf(gem)],
    ['Eye clean', gem.eye_clean ?? '–'],
    ['Certificate', certificate(gem)],
  ]
}

function originOf(gem: Gem): string {
  return gem.grow_method ? `${valueLabel(gem.type)}, ${gem.grow_method}` : valueLabel(gem.type)
}

function certificate(gem: Gem): ComponentChildren {
  if (!gem.cert_num) return 'None'
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
    ['Length-to-width ratio', decimal(gem.ratio)],
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
    ['Location', gem.country_code ?? '–'],
    ['Returns', gem.returnable ? `Within ${gem.days_to_return ?? '–'} days` : 'No returns'],
    ['Memo', gem.memo ? `${gem.memo_days_to_return ?? '–'} days` : 'Not available'],
    ['Hold', gem.can_hold ? 'Available' : 'Not available'],
    ['On the market since', date(gem.created_on)],
  ]
}
