import { randomInt } from 'node:crypto'

/**
 * A hash table from stock numbers to whole numbers in typed arrays, because a Map of a million
 * strings would take the memory that the whole import may use. Stock numbers are stored as 64 bits
 * of a seeded hash: the chance that two of a million collide is 3 in 100 million.
 */
interface SlotTable {
  /** Returns the number of a stock number, or undefined. */
  find(vendorSku: string): number | undefined
  /** Stores a number for a stock number that `find` does not know. */
  put(vendorSku: string, value: number): void
}

const FIRST_SLOTS = 4096
/** Marks a free slot, so this number cannot be stored. */
const FREE = -1

export function createSlotTable(expected: number): SlotTable {
  const seed = randomInt(2 ** 32)
  let slots = FIRST_SLOTS
  while (slots < expected * 2) slots *= 2
  let keys = new Uint32Array(slots * 2)
  let values = new Int32Array(slots).fill(FREE)
  let used = 0
  /** The hash of the last stock number, kept here because a million small arrays are slow. */
  let high = 0
  let low = 0

  /** Every character changes both halves, which are mixed into each other at the end. */
  function hash(text: string): void {
    let a = 0xdeadbeef ^ seed
    let b = 0x41c6ce57 ^ seed
    for (let at = 0; at < text.length; at++) {
      const char = text.charCodeAt(at)
      a = Math.imul(a ^ char, 2654435761)
      b = Math.imul(b ^ char, 1597334677)
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
    high = b >>> 0
    low = a >>> 0
  }

  /** Returns the slot of a key, or the free slot where it belongs. */
  function slotOf(first: number, second: number): number {
    let slot = (second ^ Math.imul(first, 0x9e3779b1)) & (slots - 1)
    while (values[slot] !== FREE && (keys[slot * 2] !== first || keys[slot * 2 + 1] !== second)) {
      slot = (slot + 1) & (slots - 1)
    }
    return slot
  }

  function fill(first: number, second: number, value: number): void {
    const slot = slotOf(first, second)
    keys[slot * 2] = first
    keys[slot * 2 + 1] = second
    values[slot] = value
  }

  function grow(): void {
    const [oldKeys, oldValues] = [keys, values]
    slots *= 2
    keys = new Uint32Array(slots * 2)
    values = new Int32Array(slots).fill(FREE)
    for (let slot = 0; slot < oldValues.length; slot++) {
      const value = oldValues[slot]
      if (value !== FREE) fill(oldKeys[slot * 2], oldKeys[slot * 2 + 1], value)
    }
  }

  return {
    find(vendorSku) {
      hash(vendorSku)
      const value = values[slotOf(high, low)]
      return value === FREE ? undefined : value
    },
    put(vendorSku, value) {
      hash(vendorSku)
      fill(high, low, value)
      used++
      if (used * 3 > slots * 2) grow()
    },
  }
}
