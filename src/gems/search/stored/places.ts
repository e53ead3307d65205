import type { Place, Space } from './blocks.ts'

/** Where each stone is. */
export interface Places {
  isCurrent(id: number): boolean
  find(id: number): Place | undefined
  put(id: number, place: Place): void
  /** Stones changed; with 'all', any of them may have. */
  outdate(ids: ReadonlySet<number> | 'all'): void
  remove(id: number): void
  /** Takes over places, before any is put. */
  adopt(known: KnownPlaces): void
  /** The stones that are stored as they are now. The map changes, until all are outdated. */
  current(): ReadonlyMap<number, Place>
  /** How often all were outdated at once. */
  generation(): number
  size(): number
  clear(): void
}

export interface KnownPlaces {
  /** The stones that are stored as they are now. */
  current: Map<number, Place>
  /** Those that have changed since. */
  former: Map<number, Place>
}

export function createPlaces(space: Pick<Space, 'free'>): Places {
  let current = new Map<number, Place>()
  let former = new Map<number, Place>()
  let generation = 0

  function remove(id: number): void {
    for (const places of [current, former]) {
      const place = places.get(id)
      if (place !== undefined) space.free(place)
      places.delete(id)
    }
  }

  function outdateOne(id: number): void {
    const place = current.get(id)
    if (place === undefined) return
    current.delete(id)
    remove(id)
    former.set(id, place)
  }

  return {
    isCurrent: (id) => current.has(id),
    find: (id) => current.get(id) ?? former.get(id),
    put(id, place) {
      remove(id)
      current.set(id, place)
    },
    outdate(ids) {
      if (ids === 'all') generation++
      if (ids !== 'all') for (const id of ids) outdateOne(id)
      else if (former.size > 0) for (const id of [...current.keys()]) outdateOne(id)
      else [current, former] = [former, current]
    },
    remove,
    adopt(known) {
      current = known.current
      former = known.former
    },
    current: () => current,
    generation: () => generation,
    size: () => current.size + former.size,
    clear() {
      current.clear()
      former.clear()
    },
  }
}
