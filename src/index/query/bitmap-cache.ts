import type { Bits } from '../segment/bits.ts'

/**
 * Bitmaps that took some work and may be asked for again: pages of one search, the searches of one
 * buyer and the round numbers of the trade repeat themselves. A bounded number, the longest unused
 * first. What is kept follows from the base alone, never from which of its rows still stand.
 */
export interface KeptSets {
  /** Rooms without a set have a symbol for a key. */
  byKey: Map<string | symbol, Bits>
  /** Keys that were asked for once, lately. */
  asked: Set<string>
}

/** How many keys are remembered to have been asked for. */
const ASKED_MAX = 256

export function newKeptSets(rooms: readonly Bits[]): KeptSets {
  return { byKey: new Map(rooms.map((bits) => [Symbol('empty'), bits])), asked: new Set() }
}

export function findSet({ byKey }: KeptSets, key: string): Bits | undefined {
  const known = byKey.get(key)
  if (!known) return undefined
  byKey.delete(key)
  byKey.set(key, known)
  return known
}

/** Room for a new set under this key: that of the one which was unused for longest. */
export function roomFor({ byKey }: KeptSets, key: string): Bits {
  for (const [oldest, bits] of byKey) {
    byKey.delete(oldest)
    byKey.set(key, bits)
    return bits
  }
  throw new Error('a workspace has room for sets')
}

/**
 * Whether the key was asked for before. One that is asked for once must not push out those that
 * are asked for again and again.
 */
export function isAskedAgain({ asked }: KeptSets, key: string): boolean {
  if (asked.delete(key)) return true
  for (const oldest of asked) {
    if (asked.size < ASKED_MAX) break
    asked.delete(oldest)
  }
  asked.add(key)
  return false
}

/** A code of the base was changed in place: sets that depend on its column are void. */
export function forgetSets({ byKey }: KeptSets, column: string): void {
  for (const [key, bits] of [...byKey]) {
    if (typeof key === 'symbol' || !key.split(' ').includes(column)) continue
    byKey.delete(key)
    byKey.set(Symbol('empty'), bits)
  }
}
