import { CLARITIES, COLORS, CUT_GRADES } from '../../../src/reference/attributes.ts'
import { h, inTurn } from './dom.ts'
import { emptyDrawing, shapeDrawing, words } from './facts.ts'
import { text } from './texts.ts'

/** What a visitor chose. Numbers are as they were typed; an empty one does not restrict. */
export interface Choice {
  shapes: string[]
  type: string
  weightMin: string
  weightMax: string
  priceMin: string
  priceMax: string
  color: string
  clarity: string
  cut: string
}

/** The shapes that shops sell; the others are for the trade. */
// biome-ignore format: a list of names
const SHOWN_SHAPES = [
  'round', 'oval', 'cushion', 'princess', 'emerald', 'pear', 'radiant', 'marquise', 'asscher',
  'heart',
]
/** Down to what is set in jewelry. */
const SHOWN_COLORS = COLORS.slice(0, 10)
const SHOWN_CLARITIES = CLARITIES.slice(0, 9)
const CUTS = new Map<string, string>([
  ['IDL', 'Ideal'],
  ['EX', 'Excellent'],
  ['VG', 'Very Good'],
  ['G', 'Good'],
])

/** The filters of a search, as the interface takes them. */
export function filtersFrom(choice: Choice, isGemstone: boolean): Record<string, unknown> {
  const amount = (typed: string) => (typed.trim() === '' ? undefined : Number(typed))
  const upTo = (scale: readonly string[], worst: string) =>
    worst === '' ? undefined : scale.slice(0, scale.indexOf(worst) + 1)
  const filters = {
    shape: choice.shapes.length > 0 ? choice.shapes : undefined,
    type: choice.type === '' ? undefined : [choice.type],
    weight_min: amount(choice.weightMin),
    weight_max: amount(choice.weightMax),
    retail_price_min: amount(choice.priceMin),
    retail_price_max: amount(choice.priceMax),
    ...(!isGemstone && {
      color: upTo(COLORS, choice.color),
      clarity: upTo(CLARITIES, choice.clarity),
      cut_grade: upTo(CUT_GRADES, choice.cut),
    }),
  }
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => isUsable(value)))
}

function isUsable(value: unknown): boolean {
  return value !== undefined && !(typeof value === 'number' && Number.isNaN(value))
}

interface PanelOptions {
  choice: Choice
  currency: string
  isGemstone: boolean
  changed: () => void
}

/** The filters above the stones. They write into the choice, and then tell of it. */
export function filterPanel(options: PanelOptions): HTMLElement {
  const { choice, isGemstone } = options
  const grades = isGemstone
    ? []
    : [
        select(options, 'color', text('color'), orBetter(SHOWN_COLORS)),
        select(options, 'clarity', text('clarity'), orBetter(SHOWN_CLARITIES)),
        select(options, 'cut', text('cut'), orBetter([...CUTS.keys()], CUTS)),
      ]
  const fields = h(
    'div',
    { class: 'fields', id: 'fields' },
    range(options, text('carat'), 'weightMin', 'weightMax', '0.01'),
    range(options, text('price'), 'priceMin', 'priceMax', '1'),
    select(options, 'type', text('kind'), [
      ['', text('anyKind')],
      ['mined', text('mined')],
      ['lab grown', text('labGrown')],
    ]),
    ...grades,
  )
  return h(
    'div',
    { class: 'filters', role: 'group', 'aria-label': text('filters') },
    shapePicker(choice.shapes, SHOWN_SHAPES, options.changed),
    foldOf(fields, choice),
    fields,
  )
}

/** Shows and hides the fields where they would push the stones off the screen of a phone. */
function foldOf(fields: HTMLElement, choice: Choice): HTMLElement {
  const fold = h('button', {
    type: 'button',
    class: 'button fold',
    'aria-expanded': 'false',
    'aria-controls': 'fields',
  })
  const write = () => {
    const count = countFields(choice)
    fold.textContent = count === 0 ? text('filters') : `${text('filters')} (${count})`
  }
  fold.addEventListener('click', () => {
    fold.setAttribute('aria-expanded', String(fields.classList.toggle('is-open')))
  })
  for (const event of ['input', 'change']) fields.addEventListener(event, write)
  write()
  return fold
}

/** How many of the fields restrict the search. */
function countFields({ shapes: _, ...fields }: Choice): number {
  return Object.values(fields).filter((value) => value.trim() !== '').length
}

/** Several shapes can be chosen; none means all. */
function shapePicker(
  chosen: string[],
  shapes: readonly string[],
  changed: () => void,
): HTMLElement {
  const drawings: (() => void)[] = []
  const buttons = shapes.map((shape) => {
    const button = h('button', {
      type: 'button',
      class: 'shape',
      'aria-pressed': chosen.includes(shape),
    })
    button.setAttribute('aria-pressed', String(chosen.includes(shape)))
    const place = emptyDrawing()
    button.append(place, words(shape))
    drawings.push(() => place.replaceWith(shapeDrawing(shape) ?? ''))
    button.addEventListener('click', () => {
      const at = chosen.indexOf(shape)
      if (at === -1) chosen.push(shape)
      else chosen.splice(at, 1)
      button.setAttribute('aria-pressed', String(at === -1))
      changed()
    })
    return button
  })
  // All of them take longer than the rest of the window, and the stones come first.
  inTurn(drawings)
  return h('div', { class: 'shapes', role: 'group', 'aria-label': text('shapes') }, ...buttons)
}

type RangeEnd = 'weightMin' | 'weightMax' | 'priceMin' | 'priceMax'

function range(
  { choice, changed }: PanelOptions,
  label: string,
  min: RangeEnd,
  max: RangeEnd,
  step: string,
): HTMLElement {
  const field = (name: RangeEnd, hint: string) => {
    const input = h('input', {
      class: 'input',
      type: 'number',
      inputmode: 'decimal',
      min: 0,
      step,
      value: choice[name],
      placeholder: hint,
      'aria-label': `${label} ${hint}`,
    })
    input.addEventListener('input', () => {
      choice[name] = input.value
      changed()
    })
    return input
  }
  return h(
    'div',
    { class: 'wide', role: 'group', 'aria-label': label },
    h('span', { class: 'label', 'aria-hidden': 'true' }, label),
    h('div', { class: 'range' }, field(min, text('from')), field(max, text('to'))),
  )
}

type Options = readonly (readonly [value: string, label: string])[]

function orBetter(scale: readonly string[], names = new Map<string, string>()): Options {
  const label = (value: string, at: number) =>
    at === 0 ? (names.get(value) ?? value) : `${names.get(value) ?? value} ${text('orBetter')}`
  return [['', text('any')], ...scale.map((value, at) => [value, label(value, at)] as const)]
}

function select(
  { choice, changed }: PanelOptions,
  name: 'type' | 'color' | 'clarity' | 'cut',
  label: string,
  options: Options,
): HTMLElement {
  const input = selectOf(options, choice[name], (value) => {
    choice[name] = value
    changed()
  })
  return h('label', {}, h('span', { class: 'label' }, label), input)
}

export function selectOf(
  options: Options,
  chosen: string,
  change: (value: string) => void,
): HTMLSelectElement {
  const input = h(
    'select',
    { class: 'input' },
    ...options.map(([value, label]) => h('option', { value, selected: value === chosen }, label)),
  )
  input.addEventListener('change', () => change(input.value))
  return input
}
