import { randomInt } from 'node:crypto'

/**
 * A hash table from stock numbers to whole numbers, in typed arrays: a Map of a million texts would
 * take the memory that the whole import may use. A stock number is 64 bits of a seeded hash here:
 * that two of a million meet has a chance of 3 in 100 million.
 */
export interface SlotTable {
  /** The number kept for a stock number, or undefined. */
  find(vendorSku: string): number | undefined
  /** Keeps a number for a stock number that `find` did not know. */
  put(vendorSku: string, value: number): void
}

const FIRST_SLOTS = 4096
/** The one number that cannot be kept. */
const FREE = -1

export function createSlotTable(expected: number): SlotTable {
  const seed = randomInt(2 ** 32)
  let slots = FIRST_SLOTS
  while (slots < expected * 2) slots *= 2
  let keys = new Uint32Array(slots * 2)
  let values = new Int32Array(slots).fill(FREE)
  let used = 0

  /** The slot of a key, taken or free. */
  function slotOf(high: number, low: number): number {
    let slot = (low ^ Math.imul(high, 0x9e3779b1)) & (slots - 1)
    while (values[slot] !== FREE && (keys[slot * 2] !== high || keys[slot * 2 + 1] !== low)) {
      slot = (slot + 1) & (slots - 1)
    }
    return slot
  }

  function fill(high: number, low: number, value: number): void {
    const slot = slotOf(high, low)
    keys[slot * 2] = high
    keys[slot * 2 + 1] = low
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
      const [high, low] = hash64(vendorSku, seed)
      const value = values[slotOf(high, low)]
      return value === FREE ? undefined : value
    },
    put(vendorSku, value) {
      const [high, low] = hash64(vendorSku, seed)
      fill(high, low, value)
      used++
      if (used * 3 > slots * 2) grow()
    },
  }
}

const halves: [number, number] = [0, 0]

/** Two 32-bit halves, each fed by every character, mixed into each other at the end. */
function hash64(text: string, seed: number): readonly [number, number] {
  let a = 0xdeadbeef ^ seed
  let b = 0x41c6ce57 ^ seed
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    a = Math.imul(a ^ char, 2654435761)
    b = Math.imul(b ^ char, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  halves[0] = b >>> 0
  halves[1] = a >>> 0
  return halves
}
