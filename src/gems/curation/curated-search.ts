import type { Db } from '../../database/open.ts'
import { find } from '../../index/index.ts'
import { scaleDown, scaleUp } from '../../lib/decimals.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Merchant } from '../../merchants/merchant.ts'
import { listOwnTemplates, type Template } from '../../merchants/template-store.ts'
import type { GemType, Shape } from '../../reference/attributes.ts'
import { PREDEFINED_TEMPLATES } from '../../reference/default-templates.ts'
import { listLiveHolds } from '../hold-store.ts'
import type { DiamondSearch } from '../search/diamonds.ts'
import { columnOfPrice } from '../search/prices.ts'
import { curateFrom } from './choose.ts'
import { explain } from './explain.ts'
import { type CuratedFields, renderCurated } from './rendering.ts'

/** A curated search as it is asked for. */
export interface CurationRequest {
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

export interface TemplateFilters {
  group?: string
  label?: string
  uuid?: string
}

/** Lets the merchant's templates choose, and renders what they chose as a JSON array. */
export async function searchCurated(
  db: Db,
  diamonds: DiamondSearch,
  merchant: Merchant,
  request: CurationRequest,
): Promise<Buffer> {
  refuseBounds(request)
  const [rules, own, holds] = await Promise.all([
    diamonds.rules.get(merchant, request.currency_code),
    listOwnTemplates(db, merchant.uuid),
    listLiveHolds(db, merchant.uuid),
  ])
  const { ratio_min, ratio_max } = request
  const ownHeld = new Set(holds.map(({ gem_id }) => gem_id))
  const wish = {
    shape: request.shape,
    weight: Math.round(request.weight * 10_000),
    pairs: request.count_per_grade === 2,
    templates: selectTemplates(own, request.merchant_template_filters ?? {}),
    types: request.types,
    ratioMin: ratio_min === undefined ? Number.NEGATIVE_INFINITY : scaleUp(ratio_min, 3),
    ratioMax: ratio_max === undefined ? Number.POSITIVE_INFINITY : scaleDown(ratio_max, 3),
    priceColumn: columnOfPrice(rules, 'wholesale'),
    ownHeld,
  }
  // From here to the reading of the rows nothing is awaited: the index may not change between.
  const store = diamonds.index.store()
  const chosen = curateFrom(store, wish).flatMap((choice) =>
    choice.stones.flatMap((stone) => {
      const found = find(store, stone.id)
      if (!found) return []
      const fields: CuratedFields = {
        merchant_template_group: choice.template.group,
        merchant_template_label: choice.template.label,
        merchant_template_position: choice.template.position,
        merchant_template_uuid: choice.template.uuid,
        hold_merchant_uuid: ownHeld.has(stone.id) ? merchant.uuid : null,
        is_pair: wish.pairs,
        ...(request.explain && { match: explain(choice, stone, wish) }),
      }
      return [{ found, fields }]
    }),
  )
  return renderCurated(chosen, rules, diamonds.stones)
}

function refuseBounds({ ratio_min, ratio_max }: CurationRequest): void {
  if (ratio_min === undefined || ratio_max === undefined || ratio_min <= ratio_max) return
  const message = `must not be above ratio_max (${ratio_max})`
  throw new Refusal('invalid_request', `ratio_min ${message}.`, {
    errors: [{ field: 'ratio_min', message }],
  })
}

/**
 * The templates that choose, in their order. Without a filter the merchant's own, or when it has
 * none the predefined ones; a filter looks at both.
 */
export function selectTemplates(own: readonly Template[], filters: TemplateFilters): Template[] {
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const pool = own.length === 0 || isFiltered ? [...PREDEFINED_TEMPLATES, ...own] : own
  const selected = pool.filter((template) =>
    (['group', 'label', 'uuid'] as const).every(
      (key) => filters[key] === undefined || filters[key] === template[key],
    ),
  )
  if (selected.length === 0) {
    const wanted = Object.entries(filters).map(([key, value]) => `${key} ${JSON.stringify(value)}`)
    throw new Refusal('not_found', `There is no template with ${wanted.join(' and ')}.`)
  }
  return selected.toSorted((a, b) => a.position - b.position || compareTexts(a.group, b.group))
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
