import { beforeEach, describe, expect, it } from 'vitest'
import {
  addBitmap,
  type BitmapCache,
  clearBitmapCache,
  findBitmap,
  forgetColumn,
  isRepeated,
  newBitmapCache,
} from '../../src/index/query/bitmap-cache.ts'

let cache: BitmapCache

beforeEach(() => {
  cache = newBitmapCache([new Uint32Array(1), new Uint32Array(1)])
})

/** Caches a bitmap with one word, in a search of its own. */
function add(key: string, word: number, columns = ['weight']): void {
  cache.search++
  addBitmap(cache, key, columns, (bits) => bits.fill(word))
}

const cached = () => ['a', 'b', 'c'].map((key) => findBitmap(cache, key)?.[0])

describe('the bitmap cache', () => {
  it('overwrites the least recently used bitmap', () => {
    add('a', 1)
    add('b', 2)
    findBitmap(cache, 'a')
    add('c', 3)
    expect(cached()).toEqual([1, undefined, 3])
  })

  it('never overwrites a bitmap of the current search', () => {
    add('a', 1)
    add('b', 2)
    cache.search++
    findBitmap(cache, 'a')
    findBitmap(cache, 'b')
    const oneMore = () => addBitmap(cache, 'c', ['weight'], (bits) => bits.fill(3))
    expect(oneMore).toThrow('more bitmaps at once than the cache has')
    expect(cached()).toEqual([1, 2, undefined])
  })

  it('does not cache a bitmap that could not be filled, and uses its memory again', () => {
    const fail = () => {
      throw new Error('cannot be filled')
    }
    expect(() => addBitmap(cache, 'a', ['weight'], fail)).toThrow('cannot be filled')
    add('b', 2)
    add('c', 3)
    expect(cached()).toEqual([undefined, 2, 3])
  })

  it('forgets the bitmaps that depend on a column', () => {
    add('a', 1, ['shape'])
    add('b', 2, ['weight', 'shape'])
    forgetColumn(cache, 'weight')
    expect(cached()).toEqual([1, undefined, undefined])
    add('c', 3)
    expect(cached()).toEqual([1, undefined, 3])
  })

  it('is empty after it is cleared', () => {
    add('a', 1)
    expect(isRepeated(cache, 'b')).toBe(false)
    clearBitmapCache(cache)
    expect(cached()).toEqual([undefined, undefined, undefined])
    expect(isRepeated(cache, 'b')).toBe(false)
  })

  it('knows of a key, for a while, that it was asked for once', () => {
    expect(isRepeated(cache, 'a')).toBe(false)
    expect(isRepeated(cache, 'a')).toBe(true)
    expect(isRepeated(cache, 'a')).toBe(false)
    for (let i = 0; i < 256; i++) isRepeated(cache, `other ${i}`)
    expect(isRepeated(cache, 'a')).toBe(false)
  })
})
