import type { StoneChange } from '../../api/stock.ts'
import { numberIn, numberText } from '../../lib/numbers.ts'

/** What the operator can set besides whether the stone is on sale. */
export type OverrideField = Exclude<keyof StoneChange, 'enabled' | 'note'>
export type OverrideKind = 'flag' | 'price' | 'tolerance' | 'address' | 'object'

export const OVERRIDES: Record<OverrideField, OverrideKind> = {
  wholesale_price: 'price',
  wholesale_price_us: 'price',
  can_hold: 'flag',
  memo: 'flag',
  returnable: 'flag',
  is_sustainable: 'flag',
  sustainability_details: 'object',
  media_requested: 'flag',
  image_top_url: 'address',
  image_bottom_url: 'address',
  video_url: 'address',
  ux_url: 'address',
  cached_ux_url: 'address',
  v360_json_base_url: 'address',
  v360_info: 'object',
  cert_url: 'address',
  original_imported_ext_url: 'address',
  tolerance_positive: 'tolerance',
  tolerance_negative: 'tolerance',
}

export const OVERRIDE_FIELDS = Object.keys(OVERRIDES) as OverrideField[]

/** A value as the text that a person changes. */
export function typedFrom(kind: OverrideKind, value: unknown): string {
  if (kind === 'flag') return value === true ? 'yes' : 'no'
  if (value === null || value === undefined) return ''
  if (kind === 'object') return JSON.stringify(value, null, 2)
  return typeof value === 'number' ? numberText(value) : (value as string)
}

/** What was typed, for the request; undefined when it is not a value of this kind. */
export function valueFrom(kind: OverrideKind, typed: string): unknown {
  if (kind === 'flag') return typed === 'yes'
  if (kind === 'address') return typed.trim()
  if (kind === 'object') return objectIn(typed)
  const number = numberIn(typed)
  return Number.isNaN(number) ? undefined : number
}

function objectIn(typed: string): object | undefined {
  try {
    const value: unknown = JSON.parse(typed)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? value : undefined
  } catch {
    return undefined
  }
}
