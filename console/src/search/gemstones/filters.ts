import type { Filters } from '../../api/gems.ts'

/** What a gemstone is chosen by, in the order in which it makes the price. */
export const GEMSTONE_CHOICES = [
  'species',
  'color',
  'origin',
  'treatment',
  'shape',
  'lab',
  'type',
] as const
export type GemstoneChoice = (typeof GEMSTONE_CHOICES)[number]

const BOUNDS = ['weight_min', 'weight_max', 'retail_price_min', 'retail_price_max'] as const
type GemstoneBound = (typeof BOUNDS)[number]

/** Filters that are on or off: their names in the address, and what they ask for. */
export const GEMSTONE_FLAGS = [
  ['media', 'has_media', true],
  ['file', 'has_certificate_file', true],
  ['available', 'on_hold', false],
] as const

/** Between the values of a filter in the address; suppliers' words may have a comma. */
const BETWEEN = '|'

/** The filters of the gemstone search that its address has. */
export function gemstoneFilters(params: URLSearchParams): Filters {
  const choices = GEMSTONE_CHOICES.map((name) => [name, valuesIn(params, name)] as const)
  const bounds = BOUNDS.map((name) => [name, Number(params.get(name))] as const)
  const flags = GEMSTONE_FLAGS.filter(([name]) => params.get(name) === 'yes')
  return {
    ...Object.fromEntries(choices.filter(([, values]) => values.length > 0)),
    ...Object.fromEntries(bounds.filter(([, value]) => value > 0)),
    ...Object.fromEntries(flags.map(([, filter, wanted]) => [filter, wanted])),
  }
}

export function valuesIn(params: URLSearchParams, name: GemstoneChoice): string[] {
  return (params.get(name) ?? '').split(BETWEEN).filter(Boolean)
}

/** What is set in the address for the filters; what is undefined is taken out of it. */
export function paramsOf(filters: Filters): Record<string, string | undefined> | undefined {
  const params: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(filters)) {
    const flag = GEMSTONE_FLAGS.find(([, filter, wanted]) => filter === name && wanted === value)
    if (flag) params[flag[0]] = 'yes'
    else if (isChoice(name) && isWords(value)) params[name] = value.join(BETWEEN)
    else if (isBound(name) && Number(value) > 0) params[name] = String(value)
    else return undefined
  }
  return params
}

/** The address of the gemstone search with these filters; undefined where it lacks one of them. */
export function gemstoneUrl(filters: Filters): string | undefined {
  const params = paramsOf(filters)
  if (!params) return undefined
  const text = new URLSearchParams(params as Record<string, string>).toString()
  return text ? `/gemstones?${text}` : '/gemstones'
}

/** Takes every filter out of the address, and keeps the order. */
export const NO_FILTERS: Record<string, undefined> = Object.fromEntries(
  [...GEMSTONE_CHOICES, ...BOUNDS, ...GEMSTONE_FLAGS.map(([name]) => name), 'offset'].map(
    (name) => [name, undefined],
  ),
)

function isChoice(name: string): name is GemstoneChoice {
  return GEMSTONE_CHOICES.some((each) => each === name)
}

function isBound(name: string): name is GemstoneBound {
  return BOUNDS.some((each) => each === name)
}

/** Stones of which something is not known are asked for by null, which the page does not offer. */
function isWords(value: Filters[string]): value is string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => typeof each === 'string' && each !== '' && !each.includes(BETWEEN))
  )
}
