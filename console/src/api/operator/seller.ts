import type { Static } from 'typebox'
import type {
  ChargeRuleBody,
  ChargeRuleSchema,
} from '../../../../src/http/schemas/orders/account.ts'
import type { SettingsBody, SettingsSchema } from '../../../../src/http/schemas/orders/documents.ts'
import type { LoadedGridsSchema, PriceGridsSchema } from '../../../../src/http/schemas/suppliers.ts'
import { call, newIdempotencyKey, problemFrom, readAll, urlOf } from '../client.ts'
import { sessionToken } from '../session-store.ts'

export type MarketSettings = Static<typeof SettingsSchema>

export function readMarketSettings(signal?: AbortSignal): Promise<MarketSettings> {
  return call('GET', '/api/operator/settings', { signal })
}

export function changeMarketSettings(change: Static<typeof SettingsBody>): Promise<MarketSettings> {
  return call('PATCH', '/api/operator/settings', { body: change })
}

export type ChargeRule = Static<typeof ChargeRuleSchema>
export type NewChargeRule = Static<typeof ChargeRuleBody>

export function listChargeRules(signal?: AbortSignal): Promise<ChargeRule[]> {
  return readAll('/api/operator/charge_rules', 'charge_rules', { signal })
}

export function addChargeRule(rule: NewChargeRule): Promise<ChargeRule> {
  const idempotencyKey = newIdempotencyKey()
  return call('POST', '/api/operator/charge_rules', { body: rule, idempotencyKey })
}

export function removeChargeRule(uuid: string): Promise<void> {
  return call('DELETE', '/api/operator/charge_rules/{uuid}', { path: { uuid } })
}

export type PriceGrid = Static<typeof PriceGridsSchema>['price_grids'][number]

export function listPriceGrids(signal?: AbortSignal): Promise<PriceGrid[]> {
  return readAll('/api/operator/price_grids', 'price_grids', { signal })
}

/** The file is the body: `POST /api/operator/price_grids`. */
export async function loadPriceGrid(file: File): Promise<Static<typeof LoadedGridsSchema>> {
  const response = await fetch(
    urlOf('/api/operator/price_grids', { query: { file_name: file.name } }),
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sessionToken() ?? ''}`,
        'content-type': 'application/octet-stream',
      },
      body: file,
    },
  )
  const body: unknown = await response.json()
  if (!response.ok) throw problemFrom(response.status, body)
  return body as Static<typeof LoadedGridsSchema>
}
