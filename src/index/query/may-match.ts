import { codesOf, type Dictionary } from '../segment/rows.ts'
import type { Predicate } from './predicates.ts'
import type { Searchable } from './workspace.ts'

/**
 * Whether some row of the base may satisfy all predicates, by what is known of its columns alone.
 * Of thousands of searches over a few rows, it decides nearly all without looking at a row.
 */
export function mayMatch(searched: Searchable, predicates: readonly Predicate[]): boolean {
  if (searched.delta.size > 0) return true
  return predicates.every((predicate) => mayHave(searched, predicate))
}

function mayHave({ base, dictionaries }: Searchable, predicate: Predicate): boolean {
  if (predicate.kind === 'range') {
    const { least, greatest, present } = base.numbers[predicate.column]
    return present > 0 && predicate.min <= greatest && predicate.max >= least
  }
  if (predicate.kind === 'oneOf') {
    const { counts } = base.codes[predicate.column]
    return hasSome(counts, dictionaries[predicate.column], predicate.values)
  }
  if (predicate.kind === 'pairs') {
    return predicate.columns.every((column, side) =>
      hasSome(
        base.codes[column].counts,
        dictionaries[column],
        predicate.pairs.map((pair) => pair[side]),
      ),
    )
  }
  return true
}

function hasSome(
  counts: Uint32Array,
  dictionary: Dictionary,
  values: readonly (string | null)[],
): boolean {
  return codesOf(dictionary, values).some((code) => counts[code] > 0)
}
