import { call, newIdempotencyKey } from './client.ts'

/** As `MerchantAddress` in /openapi/v3.json. */
export interface Address {
  uuid: string
  name: string
  phone: string
  address_1: string
  address_2: string
  city: string
  postal_code: string
  country_code: string
  region: string
  is_default: boolean
}

export type NewAddress = Partial<Omit<Address, 'uuid'>>

export function listAddresses(signal?: AbortSignal): Promise<{ merchant_addresses: Address[] }> {
  return call('GET', '/api/v3/merchant_addresses/list', { signal })
}

export function addAddress(address: NewAddress): Promise<Address> {
  return call('POST', '/api/v3/merchant_addresses', {
    body: address,
    idempotencyKey: newIdempotencyKey(),
  })
}

export function changeAddress(uuid: string, change: NewAddress): Promise<Address> {
  return call('PATCH', '/api/v3/merchant_addresses/{uuid}', { path: { uuid }, body: change })
}

export function removeAddress(uuid: string): Promise<void> {
  return call('DELETE', '/api/v3/merchant_addresses/{uuid}', { path: { uuid } })
}

/** As `MerchantTemplate` in /openapi/v3.json. */
export interface Template {
  uuid: string
  merchant_uuid: string | null
  group: string
  position: number
  label: string
  color: string
  clarity: string
  grade_name: string
}

export type NewTemplate = Pick<Template, 'group' | 'label' | 'color' | 'clarity' | 'grade_name'>

export function listTemplates(signal?: AbortSignal): Promise<{ merchant_templates: Template[] }> {
  return call('GET', '/api/v3/merchant_templates/list', { signal })
}

export function addTemplate(template: NewTemplate): Promise<Template> {
  return call('POST', '/api/v3/merchant_templates', {
    body: template,
    idempotencyKey: newIdempotencyKey(),
  })
}

export function removeTemplate(uuid: string): Promise<void> {
  return call('DELETE', '/api/v3/merchant_templates/{uuid}', { path: { uuid } })
}

/** As `ProfitMargin` in /openapi/v3.json. */
export interface Margin {
  uuid: string
  lab_percent: number
  mined_percent: number
  weight_min: number
  weight_max: number
  price_min: number
  price_max: number
  weight_or_price: 'weight' | 'price'
}

export function listMargins(signal?: AbortSignal): Promise<{ profit_margins: Margin[] }> {
  const query = { product_type: ['diamond'] }
  return call('GET', '/api/v3/profit_margins/list', { query, signal })
}

/** As `DefaultProfitMargin` in /openapi/v3.json. */
export interface DefaultMargin {
  weight_min: number
  weight_max: number
  mined_percent: number
  lab_percent: number
}

export function listDefaultMargins(signal?: AbortSignal): Promise<DefaultMargin[]> {
  return call('GET', '/api/v3/defaults/profit_margins', { signal })
}

export interface MarginDraft {
  mode: 'weight' | 'price'
  product_type: 'diamond'
  tiers: { min: number; max: number; mined_percent: number; lab_percent: number }[]
}

/** As `MarginPreview` in /openapi/v3.json. */
export interface MarginPreview {
  stones: number
  share_up: number
  share_down: number
  share_same: number
  median_change_percent: number | null
}

export function previewMargins(draft: MarginDraft, signal?: AbortSignal): Promise<MarginPreview> {
  return call('POST', '/api/v3/profit_margins/preview', { body: draft, signal })
}

export function replaceMargins(draft: MarginDraft): Promise<unknown> {
  return call('PUT', '/api/v3/profit_margins', { body: draft })
}
