import { setImmediate as nextTurn } from 'node:timers/promises'
import { find } from '../../index/index.ts'
import { scaleDown, scaleUp } from '../../lib/decimals.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { isNamedBy, type Template } from '../../merchants/template-store.ts'
import type { PriceRules } from '../../pricing/price-rules.ts'
import type { GemType, Shape } from '../../reference/attributes.ts'
import { PREDEFINED_TEMPLATES } from '../../reference/defaults.ts'
import { renderTerms } from '../gem-rendering.ts'
import type { DiamondSearch } from '../search/diamonds.ts'
import { termsOf } from '../search/page.ts'
import type { CandidateSearch } from './candidates.ts'
import { curateInPieces } from './choose.ts'
import { type Explanation, explain } from './explain.ts'
import type { Choice } from './rule.ts'

/** A curated search as the caller wrote it, validated by the request schema. */
interface CurationRequest {
  /** Carats. */
  weight: number
  shape: Shape
  types: readonly GemType[]
  currency_code?: string
  count_per_grade: 1 | 2
  ratio_min?: number
  ratio_max?: number
  merchant_template_filters?: TemplateFilters
  explain?: boolean
}

interface TemplateFilters {
  group?: string
  label?: string
  uuid?: string
}

/**
 * Lets the merchant's templates choose, and renders what they chose as a JSON array. `charge` is
 * told how many templates will choose, before they do, and may refuse the search. Other callers
 * have their turn after every few templates: 500 take half a second and more.
 */
export async function searchCurated(
  diamonds: DiamondSearch,
  merchant: Merchant,
  request: CurationRequest,
  charge: (templates: number) => Promise<void> | undefined,
): Promise<{ bytes: Buffer; stones: number }> {
  refuseBounds(request)
  const [rules, own] = await Promise.all([
    diamonds.rules.get(merchant, request.currency_code),
    diamonds.ownChoices.get(merchant.uuid),
  ])
  const search = candidateSearch(request, rules, {
    templates: selectTemplates(own.templates, request.merchant_template_filters ?? {}),
    ownHeld: own.held,
  })
  await charge(search.templates.length)
  const show = { search, rules, merchant, isExplained: request.explain === true }
  const chosen: ChosenStone[] = []
  for (const choices of curateInPieces(() => diamonds.index.store(), search)) {
    // Chosen and priced without an `await` in between: the index cannot change.
    for (const choice of choices) chosen.push(...renderChoice(diamonds, choice, show))
    await nextTurn()
  }
  const ids = chosen.map(({ id }) => id)
  const part = 'specified'
  const stones = diamonds.stones.peek(ids, part) ?? (await diamonds.stones.get(ids, part))
  return { bytes: joinStones(chosen, stones), stones: chosen.length }
}

type TemplateSearch = CandidateSearch<Template>

function candidateSearch(
  request: CurationRequest,
  rules: PriceRules,
  { templates, ownHeld }: Pick<TemplateSearch, 'templates' | 'ownHeld'>,
): TemplateSearch {
  const { shape, types, weight, count_per_grade, ratio_min, ratio_max } = request
  return {
    shape,
    types,
    weight: Math.round(weight * 10_000),
    pairs: count_per_grade === 2,
    ratioMin: ratio_min === undefined ? Number.NEGATIVE_INFINITY : scaleUp(ratio_min, 3),
    ratioMax: ratio_max === undefined ? Number.POSITIVE_INFINITY : scaleDown(ratio_max, 3),
    terms: rules,
    templates,
    ownHeld,
  }
}

/** A stone that a template chose, and the JSON that is written behind its bytes. */
interface ChosenStone {
  id: number
  terms: Buffer
}

interface ChoiceRendering {
  search: TemplateSearch
  rules: PriceRules
  merchant: Merchant
  isExplained: boolean
}

function renderChoice(
  diamonds: DiamondSearch,
  choice: Choice<Template>,
  { search, rules, merchant, isExplained }: ChoiceRendering,
): ChosenStone[] {
  return choice.stones.flatMap((stone) => {
    const found = find(diamonds.index.store(), stone.id)
    if (!found) return []
    const fields: CuratedFields = {
      merchant_template_group: choice.template.group,
      merchant_template_label: choice.template.label,
      merchant_template_position: choice.template.position,
      merchant_template_uuid: choice.template.uuid,
      hold_merchant_uuid: search.ownHeld.has(stone.id) ? merchant.uuid : null,
      is_pair: search.pairs,
      ...(isExplained && { match: explain(choice, stone, search) }),
    }
    const terms = { ...renderTerms(termsOf(found, rules), rules), ...fields }
    return [{ id: stone.id, terms: Buffer.from(`,${JSON.stringify(terms).slice(1)}`) }]
  })
}

/** The fields of a curated stone that say which template chose it, and why. */
interface CuratedFields {
  merchant_template_group: string
  merchant_template_label: string
  merchant_template_position: number
  merchant_template_uuid: string
  hold_merchant_uuid: string | null
  is_pair: boolean
  match?: Explanation
}

/** A stone that was deleted between the search and the reading of its bytes is left out. */
function joinStones(chosen: readonly ChosenStone[], stones: readonly (Buffer | undefined)[]) {
  const gems: Buffer[] = []
  for (const [position, stone] of stones.entries()) {
    if (!stone) continue
    if (gems.length > 0) gems.push(Buffer.from(','))
    gems.push(stone, chosen[position].terms)
  }
  return Buffer.concat([Buffer.from('['), ...gems, Buffer.from(']')])
}

function refuseBounds({ ratio_min, ratio_max }: CurationRequest): void {
  if (ratio_min === undefined || ratio_max === undefined || ratio_min <= ratio_max) return
  const message = `must not be above ratio_max (${ratio_max})`
  throw new Refusal('invalid_request', `ratio_min ${message}.`, {
    errors: [{ field: 'ratio_min', message }],
  })
}

/**
 * The templates that choose, in their order. Without a filter they are the merchant's own, or the
 * predefined ones when it has none; a filter selects from both.
 */
function selectTemplates(own: readonly Template[], filters: TemplateFilters): Template[] {
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const pool = own.length === 0 || isFiltered ? [...PREDEFINED_TEMPLATES, ...own] : own
  const { group, label, uuid } = filters
  const selected = pool.filter(
    (template) =>
      (group === undefined || group === template.group) &&
      (label === undefined || label === template.label) &&
      (uuid === undefined || isNamedBy(template, uuid)),
  )
  if (selected.length === 0) {
    const wanted = Object.entries(filters).map(([key, value]) => `${key} ${JSON.stringify(value)}`)
    throw new Refusal('not_found', `There is no template with ${wanted.join(' and ')}.`)
  }
  return selected.toSorted((a, b) => a.position - b.position || compare(a.group, b.group))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
