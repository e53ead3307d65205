import { Type } from 'typebox'
import { Refusal } from '../../../lib/refusal.ts'
import { inlineObject, list, text, uuid } from '../../schemas/fields.ts'
import { HoldBody, StoneParams, StoneQuery } from '../../schemas/inventory.ts'
import { comparePage, stonePage } from '../console-pages.ts'
import { type MarketCalls, RefusedCall } from '../market-calls.ts'
import {
  COMPARED_FIELDS,
  compare,
  DETAIL_FIELDS,
  MEDIA_FIELDS,
  pick,
  type Stone,
} from '../stones.ts'
import { ADDS, READS, tool } from '../tool.ts'
import { idempotencyKey } from './writing.ts'

/** Each stone is read by a call of its own. */
const COMPARED = { min: 2, max: 10 }
/** More stones than these are compared by the fields that matter most. */
const WHOLE_MAX = 5
/** Older prices help nobody to decide. */
const PRICES_MAX = 5

export const getStone = tool('get_stone', {
  description: 'All about one stone by SKU: measurements, certificate, pictures, earlier prices.',
  schema: inlineObject({ ...StoneParams.properties, ...StoneQuery.properties }),
  annotations: READS,
  run: async ({ sku, ...query }, market) => {
    const stone = await readStone(market, sku, query)
    return {
      ...pick(stone, [...DETAIL_FIELDS, ...MEDIA_FIELDS]),
      ...earlierPrices(stone),
      console: market.page(stonePage(sku)),
    }
  },
})

export const compareStones = tool('compare_stones', {
  description:
    'Compare 2 to 10 stones by SKU, up to 5 in every detail. `same` is what they share, `gems` ' +
    'how they differ. ' +
    'A stone that is no longer on sale is in `missing`.',
  schema: inlineObject({
    skus: list(StoneParams.properties.sku, 'SKUs of the stones', {
      minItems: COMPARED.min,
      maxItems: COMPARED.max,
      uniqueItems: true,
    }),
    ...StoneQuery.properties,
  }),
  annotations: READS,
  run: async ({ skus, ...query }, market) => {
    const read = await Promise.all(skus.map((sku) => findStone(market, sku, query)))
    const stones = read.filter((stone) => stone !== undefined)
    const missing = skus.filter((_, position) => read[position] === undefined)
    const fields = stones.length > WHOLE_MAX ? COMPARED_FIELDS : DETAIL_FIELDS
    const { same, stones: gems } = compare(stones.map((stone) => pick(stone, fields)))
    return {
      same,
      gems,
      ...(missing.length > 0 && { missing }),
      console: market.page(comparePage(skus)),
    }
  },
})

export const holdStone = tool('hold_stone', {
  description:
    'Hold a stone so that no one else can buy it meanwhile. Costs nothing. Holding it again ' +
    'moves the end; expires_on may be earlier than asked for.',
  schema: inlineObject({ ...HoldBody.properties, idempotency_key: idempotencyKey }),
  annotations: ADDS,
  run: async ({ idempotency_key, ...body }, market) => {
    const hold = await market.post<Hold>('/api/v3/inventory/holds', body, idempotency_key)
    return { ...holdOf(hold), console: market.page('/holds') }
  },
})

export const releaseHold = tool('release_hold', {
  description: 'End one of your holds, by its uuid or by the sku of its stone.',
  schema: inlineObject({
    uuid: Type.Optional(uuid('UUID of the hold')),
    sku: Type.Optional(text('SKU of the held stone', 'PV-7Q2M4K', { maxLength: 100 })),
  }),
  annotations: ADDS,
  run: async ({ uuid: given, sku }, market) => {
    const held = given ?? (await uuidOfHold(market, sku))
    await market.remove(`/api/v3/inventory/holds/${held}`)
    return { released: held, console: market.page('/holds') }
  },
})

/** The present price is in the stone already. */
function earlierPrices({ price_history = [] }: Stone): object {
  return price_history.length > 1 ? { price_history: price_history.slice(0, PRICES_MAX) } : {}
}

interface Hold {
  uuid: string
  sku: string
  expires_on: string
}

export function holdOf({ uuid: id, sku, expires_on }: Hold): Hold {
  return { uuid: id, sku, expires_on }
}

/** More than most merchants may hold at once. */
const HOLDS_MAX = 1000

async function uuidOfHold(market: MarketCalls, sku: string | undefined): Promise<string> {
  if (sku === undefined) {
    const message = 'is required, or sku'
    throw new Refusal('invalid_request', `uuid ${message}.`, {
      errors: [{ field: 'uuid', message }],
    })
  }
  const { holds } = await listHolds(market, HOLDS_MAX)
  const hold = holds.find((each) => each.sku === sku)
  if (hold) return hold.uuid
  throw new Refusal('not_found', `You do not hold ${sku}; account lists your holds.`)
}

export function listHolds(market: MarketCalls, limit: number) {
  return market.get<{ holds: Hold[]; total: number }>('/api/v3/inventory/holds', { limit })
}

function readStone(market: MarketCalls, sku: string, query: object): Promise<Stone> {
  return market.get<Stone>(`/api/v3/inventory/gems/${encodeURIComponent(sku)}`, query)
}

/** Undefined when the caller sees no such stone. */
async function findStone(
  market: MarketCalls,
  sku: string,
  query: object,
): Promise<Stone | undefined> {
  try {
    return await readStone(market, sku, query)
  } catch (error) {
    if (error instanceof RefusedCall && error.problem.code === 'not_found') return undefined
    throw error
  }
}
