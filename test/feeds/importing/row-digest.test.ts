import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRowDigester, hexOf } from '../../../src/feeds/importing/known/row-digest.ts'

const row = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.string({ minLength: 1, maxLength: 9 }).map((text) => text.repeat(4_000)),
)

describe('the digest of a row', () => {
  it('is the same for the same row, whatever was read before it', () => {
    const digestOf = createRowDigester('settings')
    fc.assert(
      fc.property(row, row, (one, other) => {
        const first = digestOf('', one)
        digestOf('', other)
        expect(digestOf('', one)).toEqual(first)
        expect(createRowDigester('settings')('', one)).toEqual(first)
      }),
    )
  })

  it('differs for another row, another place and other settings', () => {
    const digestOf = createRowDigester('settings')
    fc.assert(
      fc.property(row, row, (one, other) => {
        fc.pre(Buffer.from(one).compare(Buffer.from(other)) !== 0)
        expect(digestOf('', one)).not.toEqual(digestOf('', other))
        expect(digestOf('sheet 2', one)).not.toEqual(digestOf('', one))
        expect(createRowDigester('other settings')('', one)).not.toEqual(digestOf('', one))
      }),
    )
  })

  it('differs in both words for rows that differ in a few characters', () => {
    const digestOf = createRowDigester('settings')
    const first = new Set<number>()
    const second = new Set<number>()
    const count = 20_000
    for (let price = 0; price < count; price++) {
      const digest = digestOf('', `S-1,Round,1.01,G,VS1,${price},GIA,2141438172`)
      first.add(digest.first)
      second.add(digest.second)
    }
    // Of so many random words of 32 bits, hardly any two are the same.
    expect(first.size).toBeGreaterThan(count - 5)
    expect(second.size).toBeGreaterThan(count - 5)
  })

  it('is written as sixteen hexadecimal digits', () => {
    expect(hexOf({ first: -1, second: 10 })).toBe('ffffffff0000000a')
  })
})
