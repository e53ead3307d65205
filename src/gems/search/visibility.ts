import { codeAt, type Found, type Predicate, type Store } from '../../index/index.ts'
import type { PriceList } from '../../pricing/price-list.ts'
import { VISIBILITIES, VISIBILITY } from '../indexing/columns.ts'

type Visibility = (typeof VISIBILITIES)[number]

/** Who searches: for which price list, and whether treated diamonds are asked for. */
interface Viewer {
  list: PriceList
  treated?: boolean
}

/**
 * Of the offers of a stone a search finds the one that leads in the caller's price list, and
 * treated diamonds only when they are asked for. The index has the offers that lead in some list;
 * nearly all stones are visible to everyone.
 */
export function visibleTo(store: Store, viewer: Viewer): Predicate[] {
  const hidden = HIDDEN[viewer.list][viewer.treated ? 'treated' : 'untreated']
  if (!hidden.some((visibility) => occurs(store, visibility))) return []
  const shown = VISIBILITIES.filter((each) => !hidden.includes(each) && occurs(store, each))
  return [{ kind: 'oneOf', column: VISIBILITY, values: [null, ...shown] }]
}

/** Whether some stone of the index has it. */
function occurs({ base, delta, dictionaries }: Store, visibility: Visibility): boolean {
  const code = dictionaries[VISIBILITY].codes.get(visibility)
  if (code === undefined) return false
  if (base.codes[VISIBILITY].counts[code] > 0) return true
  // A code of the delta has a word of its own.
  return delta.codes[VISIBILITY].words.subarray(0, delta.size).includes(code)
}

/** Whether a stone that was found before is still visible to the viewer. */
export function isVisible({ dictionaries }: Store, { view, row }: Found, viewer: Viewer): boolean {
  const visibility = dictionaries[VISIBILITY].values[codeAt(view.codes[VISIBILITY], row)]
  const hidden = HIDDEN[viewer.list][viewer.treated ? 'treated' : 'untreated']
  return visibility === null || !hidden.includes(visibility as Visibility)
}

/** What is left out of the searches of a price list. */
const HIDDEN: Record<PriceList, Record<'treated' | 'untreated', readonly Visibility[]>> = {
  default: hiddenFrom('us'),
  us: hiddenFrom('default'),
}

function hiddenFrom(other: PriceList) {
  const treated: Visibility[] = [other, `treated ${other}`]
  return { treated, untreated: VISIBILITIES.filter((each) => isHidden(each, treated)) }
}

function isHidden(visibility: Visibility, always: readonly Visibility[]): boolean {
  return always.includes(visibility) || visibility.startsWith('treated')
}
