/** A source as the fields of a form, and what the interface takes of them. */
import type { NewSource, Source, SourceChange } from '../../api/operator/sources.ts'
import { jsonIn } from './settings-draft.ts'

const TEXTS = ['user', 'host_key', 'sheet'] as const

export interface SourceDraft extends Record<(typeof TEXTS)[number], string> {
  url: string
  every: string
  mode: Source['mode']
  mapping: string
  /** Empty at first: what is stored is never shown. */
  password: string
  key: string
  forgetsPassword: boolean
  forgetsKey: boolean
}

const EVERY_USUAL = '2h'

export function draftOfSource(source: Source | undefined): SourceDraft {
  const { mapping } = source ?? {}
  return {
    url: source?.url ?? '',
    every: source?.every ?? EVERY_USUAL,
    mode: source?.mode ?? 'update',
    user: source?.user ?? '',
    host_key: source?.host_key ?? '',
    sheet: source?.sheet ?? '',
    mapping: mapping ? JSON.stringify(mapping, null, 2) : '',
    password: '',
    key: '',
    forgetsPassword: false,
    forgetsKey: false,
  }
}

export function newSourceOf(supplier: string, draft: SourceDraft): NewSource {
  const { url, every, mode, password } = draft
  const texts = TEXTS.map((name) => [name, draft[name].trim() || null])
  return {
    supplier,
    url: url.trim(),
    every: every.trim(),
    mode,
    ...Object.fromEntries(texts),
    mapping: jsonIn(draft.mapping),
    ...(password && { password }),
    ...(draft.key.trim() && { key: keyOf(draft) }),
  }
}

/** What differs; an address with hidden parameters is sent only when it was changed. */
export function changeOf(source: Source, draft: SourceDraft): SourceChange {
  const before = draftOfSource(source)
  const { password, forgetsPassword, forgetsKey } = draft
  const texts = TEXTS.filter((name) => draft[name] !== before[name])
  return {
    ...(draft.url !== before.url && { url: draft.url.trim() }),
    ...(draft.every !== before.every && { every: draft.every.trim() }),
    ...(draft.mode !== before.mode && { mode: draft.mode }),
    ...Object.fromEntries(texts.map((name) => [name, draft[name].trim() || null])),
    ...(draft.mapping !== before.mapping && { mapping: jsonIn(draft.mapping) }),
    ...(forgetsPassword && { password: null }),
    ...(forgetsKey && { key: null }),
    ...(password && { password }),
    ...(draft.key.trim() && { key: keyOf(draft) }),
  }
}

/** A key ends with a line end, which is lost when it is copied. */
function keyOf({ key }: SourceDraft): string {
  return `${key.trim()}\n`
}
