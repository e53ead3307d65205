/** What an entry of the audit keeps of a thing: the fields that differ, bounded, and no secret. */
import { isoWithOffset, isPrinted } from '../lib/timestamps.ts'

export type Fields = Readonly<Record<string, unknown>>

/** Long enough for a note or a reason; the rest of a longer text is cut off. */
const TEXT_LENGTH_MAX = 2_000
/** As many lines as a large order has; of a longer list the entry says how many there were. */
const LIST_ITEMS_MAX = 100
/** Deeper than the interface nests anything that is worth an entry. */
const DEPTH_MAX = 6
/** What one entry keeps before and after, each; a person reads less. */
const JSON_LENGTH_MAX = 16_384

/**
 * Names of fields that are secret wherever they occur. What calls the audit leaves secrets out;
 * this list is for the day when somebody forgets.
 */
const SECRET_NAME = /^(token|key|link|secret|password|private_key|hash)$|_(secret|hash|token)$/

/** Returns both sides with the fields that differ; of a creation or a removal the whole side. */
export function differing(
  before: Fields | null,
  after: Fields | null,
): { before: Fields | null; after: Fields | null } {
  const from = before === null ? null : clean(before)
  const to = after === null ? null : clean(after)
  if (from === null || to === null) return { before: bounded(from), after: bounded(to) }
  const names = Object.keys({ ...from, ...to }).filter(
    (name) => JSON.stringify(valueIn(from, name)) !== JSON.stringify(valueIn(to, name)),
  )
  return { before: bounded(pick(from, names)), after: bounded(pick(to, names)) }
}

function valueIn(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : null
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, valueIn(fields, name)]))
}

function clean(fields: Fields, depth = 0): Fields {
  const kept = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && !SECRET_NAME.test(name),
  )
  return Object.fromEntries(
    kept.map(([name, value]) => [storable(name), cleanValue(name, value, depth)]),
  )
}

function cleanValue(name: string, value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(name, value)
  if (Array.isArray(value)) {
    const items = value.slice(0, LIST_ITEMS_MAX).map((item) => cleanValue(name, item, depth + 1))
    const more = value.length - items.length
    return more > 0 ? [...items, `… and ${more} more`] : items
  }
  if (typeof value !== 'object' || value === null) return value ?? null
  return depth < DEPTH_MAX ? clean(value as Fields, depth + 1) : '…'
}

function cleanText(name: string, given: string): string {
  const text = storable(given)
  if (isPrinted(text)) return isoWithOffset(text)
  const plain = name === 'url' ? withoutCredentials(text) : text
  return plain.length > TEXT_LENGTH_MAX ? `${storable(plain.slice(0, TEXT_LENGTH_MAX))}…` : plain
}

/** PostgreSQL stores neither a character 0 nor half of a surrogate pair in JSON. */
function storable(text: string): string {
  return /[\0\ud800-\udfff]/.test(text) ? Buffer.from(text.replaceAll('\0', '')).toString() : text
}

/** An address may have a key in its query or a password before its host. */
function withoutCredentials(url: string): string {
  return url.replace(/\?.*$/s, '?…').replace(/^([a-z]+:\/\/)[^/@]*@/i, '$1')
}

/** Leaves out the fields that are too much, and says how many they are. */
function bounded(fields: Fields | null): Fields | null {
  if (fields === null || JSON.stringify(fields).length <= JSON_LENGTH_MAX) return fields
  let left = JSON_LENGTH_MAX
  const entries = Object.entries(fields)
  const kept = entries.filter(([name, value]) => {
    const length = name.length + JSON.stringify(value ?? null).length
    if (length > left) return false
    left -= length
    return true
  })
  return { ...Object.fromEntries(kept), '…': `${entries.length - kept.length} more` }
}
