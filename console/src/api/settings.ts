import type { Static } from 'typebox'
import type { DefaultMarginsSchema } from '../../../src/http/schemas/defaults.ts'
import type {
  MarginPreviewSchema,
  MarginSchema,
  MarginsBody,
  MarginTableSchema,
} from '../../../src/http/schemas/margins.ts'
import type { TemplateBody, TemplateSchema } from '../../../src/http/schemas/settings.ts'
import { call, newIdempotencyKey, readAll } from './client.ts'

export type Template = Static<typeof TemplateSchema>
export type NewTemplate = Static<typeof TemplateBody>

export function listTemplates(signal?: AbortSignal): Promise<Template[]> {
  return readAll('/api/v3/merchant_templates/list', 'merchant_templates', { signal })
}

export function addTemplate(template: NewTemplate): Promise<Template> {
  const idempotencyKey = newIdempotencyKey()
  return call('POST', '/api/v3/merchant_templates', { body: template, idempotencyKey })
}

export function removeTemplate(uuid: string): Promise<void> {
  return call('DELETE', '/api/v3/merchant_templates/{uuid}', { path: { uuid } })
}

export type Margin = Static<typeof MarginSchema>
export type DefaultMargin = Static<typeof DefaultMarginsSchema>[number]
export type MarginDraft = Static<typeof MarginsBody>
export type MarginPreview = Static<typeof MarginPreviewSchema>

export function listMargins(signal?: AbortSignal): Promise<Margin[]> {
  const query = { product_type: ['diamond'] }
  return readAll('/api/v3/profit_margins/list', 'profit_margins', { query, signal })
}

export function listDefaultMargins(signal?: AbortSignal): Promise<DefaultMargin[]> {
  return call('GET', '/api/v3/defaults/profit_margins', { signal })
}

export function previewMargins(draft: MarginDraft, signal?: AbortSignal): Promise<MarginPreview> {
  return call('POST', '/api/v3/profit_margins/preview', { body: draft, signal })
}

export function replaceMargins(draft: MarginDraft): Promise<Static<typeof MarginTableSchema>> {
  return call('PUT', '/api/v3/profit_margins', { body: draft })
}
