import type { Found } from '../../index/index.ts'
import type { PriceRules } from '../../pricing/price-rules.ts'
import { renderTerms } from '../gem-rendering.ts'
import { termsOf } from '../search/page.ts'
import type { RenderedStones } from '../search/rendered-stones.ts'
import type { Explanation } from './explain.ts'

/** What a curated stone carries beside its own fields. */
export interface CuratedFields {
  merchant_template_group: string
  merchant_template_label: string
  merchant_template_position: number
  merchant_template_uuid: string
  hold_merchant_uuid: string | null
  is_pair: boolean
  match?: Explanation
}

/** The chosen stones as a JSON array: the fields of a search result and those of the choice. */
export async function renderCurated(
  chosen: readonly { found: Found; fields: CuratedFields }[],
  rules: PriceRules,
  stones: RenderedStones,
): Promise<Buffer> {
  // Read at once, before anything is awaited: the rows may be others afterwards.
  const tails = chosen.map(({ found, fields }) => {
    const tail = { ...renderTerms(termsOf(found, rules), rules), ...fields }
    return Buffer.from(`,${JSON.stringify(tail).slice(1)}`)
  })
  const heads = await stones.bytesOf(chosen.map(({ found }) => found.id))
  const gems: Buffer[] = []
  for (const [place, head] of heads.entries()) {
    // A stone that was deleted between the search and the reading is left out.
    if (head) gems.push(Buffer.from(gems.length === 0 ? '' : ','), head, tails[place])
  }
  return Buffer.concat([Buffer.from('['), ...gems, Buffer.from(']')])
}
