import type { ChoiceName, SearchQuery } from '../search/query.ts'

/**
 * Changes the query by what matched; returns false when that cannot be used, so that its words are
 * named as not understood.
 */
type Take = (query: SearchQuery, match: RegExpExecArray) => boolean
export type Rule = readonly [pattern: RegExp, take: Take]

/** Whole words at the position where the reading stands. */
export function rule(pattern: string, take: Take): Rule {
  return [new RegExp(`(?:${pattern})(?![\\p{L}\\d])`, 'iuy'), take]
}

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Adds values to a choice. */
export function choose(query: SearchQuery, name: ChoiceName, values: readonly string[]): boolean {
  query.choices[name] = [...new Set([...query.choices[name], ...values])]
  return values.length > 0
}
