import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createJsonTexts, type JsonObjectText, withMember } from '../../src/lib/json-text.ts'

const textOf = (value: object) => JSON.stringify(value) as JsonObjectText
/** Strings with what JSON escapes, except U+0000, which PostgreSQL cannot store. */
const unit = fc.constantFrom('"', '\\', 'u', '0', '\u0001', '\n', 'é', '💎', '{', '}', ',', ':')
const anyText = fc.string({ unit })
const anyObject = fc.dictionary(anyText, fc.oneof(anyText, fc.integer(), fc.constant(null)))

describe('texts that are JSON already', () => {
  it('are written in place of what stands for them, as often as it stands there', () => {
    fc.assert(
      fc.property(fc.array(anyObject), anyText, (objects, between) => {
        const texts = createJsonTexts()
        const kept = objects.map((object) => texts.keep(textOf(object)))
        const written = texts.write({ between, kept, again: kept.toReversed() })
        const expected = { between, kept: objects, again: objects.toReversed() }
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(expected)))
      }),
    )
  })

  it('are not confused with a value that looks like one', () => {
    const texts = createJsonTexts()
    texts.keep(textOf({ secret: 1 }))
    for (const value of ['\\u00000', '"\\u00000"', '\u0001', '0']) {
      expect(JSON.parse(texts.write({ value }))).toEqual({ value })
    }
    expect(() => texts.write({ value: '\u0000' })).toThrow('begins with U+0000')
  })

  it('get one more member', () => {
    fc.assert(
      fc.property(
        anyObject,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (object, cost) => {
          const { cost: _, ...others } = object
          const written = JSON.parse(withMember(textOf(others), 'cost', cost))
          expect(written).toEqual(JSON.parse(JSON.stringify({ ...others, cost })))
        },
      ),
    )
  })
})
