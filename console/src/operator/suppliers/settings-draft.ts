/** The settings of a supplier as the fields of a form, and what was changed in them. */
import type { Supplier, SupplierChange } from '../../api/operator/suppliers.ts'
import { numberIn, numberText } from '../../lib/numbers.ts'

const TEXTS = ['contact', 'country_code', 'currency_code'] as const
const NUMBERS = [
  'markup',
  'markup_us',
  'fresh_days',
  'delivery_days_min',
  'delivery_days_max',
  'days_to_return',
  'internal_days_to_return',
  'memo_days_to_return',
] as const
const FLAGS = ['confirms', 'ships', 'can_hold', 'memo', 'returnable'] as const
const MAPPINGS = ['mapping', 'jewelry_mapping'] as const

export type TextName = (typeof TEXTS)[number]
export type NumberName = (typeof NUMBERS)[number]
export type FlagName = (typeof FLAGS)[number]
type MappingName = (typeof MAPPINGS)[number]

export type Draft = Record<TextName | NumberName | MappingName, string> &
  Record<FlagName, boolean> & { si3: Supplier['si3']; stone_type: StoneType | '' }
type StoneType = NonNullable<Supplier['stone_type']>

export function draftOf(supplier: Supplier): Draft {
  const { si3, stone_type } = supplier
  const entries = [
    ...TEXTS.map((name) => [name, supplier[name] ?? '']),
    ...NUMBERS.map((name) => [name, numberText(supplier[name])]),
    ...FLAGS.map((name) => [name, supplier[name]]),
    ...MAPPINGS.map((name) => [name, jsonText(supplier[name])]),
  ]
  return { ...Object.fromEntries(entries), si3, stone_type: stone_type ?? '' }
}

function jsonText(value: unknown): string {
  return value === null ? '' : JSON.stringify(value, null, 2)
}

/** Whether a text is neither empty nor JSON of an object. */
export function wrongJson(text: string): boolean {
  if (text.trim() === '') return false
  try {
    const value: unknown = JSON.parse(text)
    return typeof value !== 'object' || value === null || Array.isArray(value)
  } catch {
    return true
  }
}

export function jsonIn(text: string): Record<string, unknown> | null {
  return text.trim() === '' ? null : (JSON.parse(text) as Record<string, unknown>)
}

/** The settings that differ from those of the supplier, as the interface takes them. */
export function changeIn(supplier: Supplier, draft: Draft): SupplierChange {
  const before = draftOf(supplier)
  const changed = Object.entries(draft).filter(
    ([name, value]) => value !== Object.entries(before).find(([each]) => each === name)?.[1],
  )
  return Object.fromEntries(changed.map(([name, value]) => [name, fieldValue(name, value)]))
}

function fieldValue(name: string, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value
  const isOne = (names: readonly string[]) => names.includes(name)
  if (isOne(NUMBERS)) return value.trim() === '' && name === 'fresh_days' ? null : numberIn(value)
  if (isOne(MAPPINGS)) return jsonIn(value)
  if (name === 'stone_type') return value || null
  if (name === 'contact') return value.trim()
  return value.trim().toUpperCase() || null
}
