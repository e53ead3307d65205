import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMetal } from '../../src/jewelry/importing/drafting/read-metal.ts'
import {
  readKind,
  readMedia,
  readSize,
  readStones,
} from '../../src/jewelry/importing/drafting/read-values.ts'
import {
  adjustedConversion,
  conversionAt,
  usdCentsFrom,
} from '../../src/jewelry/price-conversion.ts'
import { queryWords, wordsOf } from '../../src/jewelry/showroom/free-text.ts'
import { createSortedLists } from '../../src/jewelry/showroom/sorted-lists.ts'
import { createTermIndex } from '../../src/jewelry/showroom/term-index.ts'
import { divideHalfUp, scaledFrom } from '../../src/lib/money.ts'
import { factorOf } from '../../src/pricing/factor.ts'

const rates = fc.constantFrom('1', '0.92', '0.93120000', '151.25', '83.61234567', '0.00000123')
const cents = fc.integer({ min: 1, max: 1e11 })

describe('conversion', () => {
  it('rounds half up exactly, even for large prices', () => {
    fc.assert(
      fc.property(rates, cents, (rate, usd) => {
        const exact = divideHalfUp(BigInt(usd) * scaledFrom(rate, 8), 10n ** 8n)
        expect(conversionAt(rate).convert(usd)).toBe(Number(exact))
      }),
    )
  })

  it('converts bounds back without losing or adding a price', () => {
    const bound = fc.integer({ min: 0, max: 1e9 }).map((whole) => whole / 100)
    fc.assert(
      fc.property(
        rates.filter((rate) => Number(rate) > 0.1),
        bound,
        fc.integer({ min: -3, max: 3 }),
        fc.option(fc.integer({ min: -5_000, max: 5_000 })),
        (rate, price, step, hundredths) => {
          const own = hundredths === null ? null : factorOf(hundredths, 10n ** 8n)
          const conversion = adjustedConversion(conversionAt(rate), own)
          const [lowest, highest] = [conversion.usdCentsFrom(price), conversion.usdCentsUpTo(price)]
          const wanted = Math.round(price * 100)
          const low = Math.max(0, lowest + step)
          expect(conversion.convert(low) >= wanted).toBe(low >= lowest)
          const high = Math.max(0, highest + step)
          expect(conversion.convert(high) <= wanted).toBe(high <= highest)
        },
      ),
    )
  })

  it('converts a price of the feed to dollars', () => {
    expect(usdCentsFrom(1000.4, '0.8')).toBe(125_050)
    expect(usdCentsFrom(0.01, '1')).toBe(1)
    expect(usdCentsFrom(1, '3')).toBe(33)
  })
})

describe('what suppliers write', () => {
  it.each([
    ['Engagement Rings', 'ring', 'engagement'],
    ['RING', 'ring', null],
    ['Wedding Band', 'ring', 'wedding band'],
    ['Stud Earrings', 'earrings', 'stud'],
    ['Studs', 'earrings', 'stud'],
    ['Hoop', 'earrings', 'hoop'],
    ['tennis-bracelet', 'bracelet', 'tennis'],
    ['Bangles', 'bracelet', 'bangle'],
    ['Chain', 'necklace', 'chain'],
    ['Cuff Links', 'cufflinks', null],
    ['Tiara', 'tiara', null],
    ['Men’s Watches', 'watch', 'men’s'],
    ['Jewelry > Rings > Engagement Rings', 'ring', 'engagement'],
    ['Rings > Engagement', 'ring', 'engagement'],
    ['Earrings > Hoops', 'earrings', 'hoop'],
    ['Bracelets, Gifts', 'bracelet', null],
    ['Gifts, Jewelry > Necklaces', 'necklace', null],
  ])('reads %j as %s, %s', (text, jewelryType, subType) => {
    expect(readKind(text)).toMatchObject({ jewelry_type: jewelryType, sub_type: subType })
  })

  it.each([
    ['Yellow Gold', '18K', '18k yellow gold'],
    ['White gold', '14', '14k white gold'],
    ['18 KT Rose Gold', undefined, '18k rose gold'],
    ['18k yellow gold', '18', '18k yellow gold'],
    ['Platinum', '950', 'platinum 950'],
    ['Silver', '925', 'sterling silver'],
    ['Silver', undefined, 'sterling silver'],
    ['925 Sterling Silver', undefined, 'sterling silver'],
    ['14KW', undefined, '14k white gold'],
    ['14K WG', undefined, '14k white gold'],
    ['18KY', undefined, '18k yellow gold'],
    ['PT950', undefined, 'platinum 950'],
    ['950 Platinum', undefined, 'platinum 950'],
    ['750 Weißgold', undefined, '18k white gold'],
    ['Roségold', '585', '14k rose gold'],
    ['Yellow gold 18K', undefined, '18k yellow gold'],
    ['18k gold plated silver', undefined, '18k gold plated silver'],
    ['Platinum & 18k yellow gold', undefined, 'platinum & 18k yellow gold'],
    ['18 Kt. White Gold', undefined, '18k white gold'],
    ['White Gold (18K)', undefined, '18k white gold'],
    ['18W', undefined, '18k white gold'],
    ['N/A', '18', null],
    ['Steel', undefined, 'steel'],
    [undefined, '18K', null],
    ['18K Rose', undefined, '18k rose gold'],
    ['14k White', undefined, '14k white gold'],
    ['Vermeil', undefined, 'vermeil'],
  ])('reads the metal %j %j as %j', (material, karat, metal) => {
    expect(readMetal(material, karat)).toBe(metal)
  })

  it.each([
    ['14K', undefined, 'White', '14k white gold'],
    ['Gold 750', undefined, 'YG', '18k yellow gold'],
    [undefined, '18K', 'Rose', '18k rose gold'],
    ['Platinum', undefined, 'White', 'platinum'],
    ['14K Yellow Gold', undefined, 'White', '14k yellow gold'],
    ['Silver', undefined, 'Yellow', 'sterling silver'],
    [undefined, undefined, 'White', null],
    ['14K', undefined, 'Two-Tone', '14k'],
  ])('reads the metal %j %j of the color %j as %j', (material, karat, color, metal) => {
    expect(readMetal(material, karat, color)).toBe(metal)
  })

  it.each([
    ['Default Category/Rings/Engagement', 'ring', 'engagement'],
    ['Jewelry/Earrings/Studs', 'earrings', 'stud'],
    ['Earrings - Studs', 'earrings', 'stud'],
    ['Watch Straps', 'watch straps', null],
    ['Key Ring', 'key ring', null],
  ])('reads the type %j as %j %j', (text, jewelryType, subType) => {
    expect(readKind(text)).toMatchObject({
      type: 'jewelry',
      jewelry_type: jewelryType,
      sub_type: subType,
    })
  })

  it.each([
    ['6,5', '6.5'],
    ['6½', '6.5'],
    ['6 1/2', '6.5'],
    ['7.0', '7'],
    ['L', 'L'],
    ['US 6 1/2', '6.5'],
    ['7 US', '7'],
    ['Size 7', '7'],
    ['18 inches', '18 inches'],
  ])('reads the size %j as %j', (text, size) => {
    expect(readSize(text)).toBe(size)
  })

  it.each([
    ['Diamond', 'diamond'],
    ['Diamond, Sapphire', ['diamond', 'sapphire']],
    ['Ruby and Diamond', ['ruby', 'diamond']],
    ['Diamond / diamond', 'diamond'],
    ['None', null],
    ['N/A', null],
    ['-', null],
    ['No stones', null],
    ['Lab Diamond, Sapphire', ['lab grown diamond', 'sapphire']],
    ['Lab-Created Diamonds', 'lab grown diamond'],
  ])('reads the stones %j as %j', (text, stones) => {
    expect(readStones(text)).toEqual(stones)
  })

  it('reads addresses of media and ignores file names', () => {
    expect(readMedia('a.jpg | https://x.example/b.jpg;https://x.example/c.MP4', 'image')).toEqual([
      { kind: 'image', url: 'https://x.example/b.jpg' },
      { kind: 'video', url: 'https://x.example/c.MP4' },
    ])
  })
})

describe('free text', () => {
  it('finds a text by each of its words, by their prefixes, and without accents', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, length) => {
        const words = [...wordsOf([text])]
        for (const word of queryWords(text).filter((each) => each !== '')) {
          expect(words.some((each) => each.startsWith(word))).toBe(true)
          const begun = queryWords(word.slice(0, length)).filter((each) => each !== '')
          for (const start of begun) {
            expect(words.some((each) => each.startsWith(start))).toBe(true)
          }
        }
      }),
    )
    expect([...wordsOf(['Étoile AB-12/W'])]).toEqual(['etoile', 'ab-12/w', 'ab', '12', 'w'])
  })

  it('keeps the rows of every term when texts change', () => {
    const texts = fc.uniqueArray(fc.constantFrom('a', 'ab', 'abc', 'b', 'ba'), { maxLength: 4 })
    const changes = fc.array(fc.tuple(fc.nat(5), texts), { maxLength: 30 })
    fc.assert(
      fc.property(changes, fc.constantFrom('', 'a', 'ab', 'b', 'c'), (list, beginning) => {
        const index = createTermIndex()
        const rows = new Map<number, string[]>()
        for (const [row, own] of list) {
          index.setRow(row, own)
          rows.set(row, own)
        }
        const found = new Set(index.startingWith(beginning).flatMap((term) => index.rowsOf(term)))
        const expected = [...rows].filter(([, own]) =>
          own.some((text) => text.startsWith(beginning)),
        )
        expect(found).toEqual(new Set(expected.map(([row]) => row)))
      }),
    )
  })
})

describe('sorted lists', () => {
  it('stay sorted when rows change, equal keys by id', () => {
    const batches = fc.array(fc.array(fc.tuple(fc.nat(12), fc.nat(3)), { maxLength: 8 }))
    fc.assert(
      fc.property(batches, fc.constantFrom('asc' as const, 'desc' as const), (all, direction) => {
        const rows: { id: string; key: number }[] = []
        const lists = createSortedLists(rows)
        const read = () => lists.get('key', (row) => row.key, direction)
        read()
        const numbers = new Map<number, number>()
        for (const batch of all) {
          const changed = new Map(
            batch.map(([name, key]) => {
              const number = numbers.get(name) ?? numbers.size
              numbers.set(name, number)
              return [number, { id: String.fromCharCode(97 + name), key }]
            }),
          )
          lists.replace(changed)
        }
        const sign = direction === 'asc' ? 1 : -1
        const expected = rows.toSorted((a, b) => (a.key - b.key) * sign || (a.id < b.id ? -1 : 1))
        expect(read().map((number) => rows[number])).toEqual(expected)
      }),
    )
  })
})
