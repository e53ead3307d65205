import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSearch } from '../../console/src/find/read-search.ts'
import { readWords } from '../../console/src/find/read-words.ts'
import { readNumber } from '../../console/src/lib/read-number.ts'
import { type Matchable, matchPairs } from '../../console/src/search/pairs/match-pairs.ts'
import { parseQuery, searchUrl } from '../../console/src/search/query.ts'

/** What the search box reads out of words and numbers, without a browser. */
const english = { toNumber: (text: string) => readNumber(text, '.'), currency: 'USD' }
const german = { toNumber: (text: string) => readNumber(text, ','), currency: 'EUR' }

/** The filters of a text as its address has them, and what was not understood. */
function read(text: string, options = english): [address: string, ...unread: string[]] {
  const { query, unread } = readWords(text, options)
  return [decodeURIComponent(searchUrl(query)).replace('/search?', ''), ...unread]
}

describe('words of the search box', () => {
  it.each([
    [
      '2 ct oval F VS1 under 9,000',
      'shape=oval&color=F&clarity=VS1&weight=2-2.2&retail_price=-9000',
    ],
    ['oval vs1 f 2ct <9k', 'shape=oval&color=F&clarity=VS1&weight=2-2.2&retail_price=-9000'],
    [
      'pair of round 1ct E-G VS lab under 3k',
      'shape=round&type=lab+grown&color=E,F,G&clarity=VS1,VS2&weight=1-1.1&' +
        'retail_price=-3000&view=pairs',
    ],
    ['1-1.5ct D-F', 'color=D,E,F&weight=1-1.5'],
    ['between 1 and 1.5 carats', 'weight=1-1.5'],
    ['1.00 to 1.50', 'weight=1-1.5'],
    ['2ct+ or 2 carat and up', 'weight=2-', '2 carat and up'],
    ['50 points', 'weight=0.5-0.55'],
    ['30-50 pointers', 'weight=0.3-0.5'],
    ['around 2 ct', 'weight=1.8-2.2'],
    ['over 1ct under 2ct', 'weight=1-2'],
    ['$5-8k', 'retail_price=5000-8000'],
    ['5,000 - 8,000', 'retail_price=5000-8000'],
    ['budget 12k', 'retail_price=-12000'],
    ['5000/ct', 'price_per_carat=-5000'],
    ['max $3,000 per carat', 'price_per_carat=-3000'],
    ['F+ VS+', 'color=D,E,F&clarity=FL,IF,VVS1,VVS2,VS1,VS2'],
    ['G or better, SI1 or better', 'color=D,E,F,G&clarity=FL,IF,VVS1,VVS2,VS1,VS2,SI1'],
    ['DEF IF-VVS2', 'color=D,E,F&clarity=IF,VVS1,VVS2'],
    ['F-VS1', 'color=F&clarity=VS1'],
    ['g/h si1-2', 'color=G,H&clarity=SI1,SI2'],
    ['flawless', 'clarity=FL'],
    ['internally flawless', 'clarity=IF'],
    ['3EX round', 'shape=round&cut_grade=IDL,EX&polish_grade=EX&symmetry_grade=EX'],
    ['triple excellent', 'cut_grade=IDL,EX&polish_grade=EX&symmetry_grade=EX'],
    [
      'VG+ cut, ex polish, symmetry very good',
      'cut_grade=IDL,EX,VG&polish_grade=EX&symmetry_grade=VG',
    ],
    ['marquise F polish EX', 'shape=marquise&color=F&polish_grade=EX'],
    ['princess cut and emerald cut', 'shape=emerald,princess'],
    ['old mine cut cushion', 'shape=cushion&cut_code=old_mine_cut'],
    ['rbc GIA no fluor', 'shape=round&fluorescence=None&lab=GIA'],
    ['strong blue fluorescence', 'fluorescence=Strong'],
    ['lab-grown CVD', 'type=lab+grown&grow_method=CVD'],
    ['natural IGI certified', 'type=mined&lab=IGI'],
    ['fancy intense yellow', 'color=YL&fancy_color_intensity=INT&fancy=yes'],
    ['pink F', 'color=PN&fancy=yes', 'F'],
    [
      'oval ratio 1.35-1.45 table 57-60% depth under 62',
      'shape=oval&ratio=1.35-1.45&depth_percentage=-62&table_percentage=57-60',
    ],
    ['7x5 mm oval', 'shape=oval&length=6.9-7.1&width=4.9-5.1'],
    ['within 5 days on memo with video', 'delivery_days=-5&with=has_video,memo'],
    ['eye clean, not on hold', 'eye_clean=yes&with=available'],
    ['40% below list', 'off_rap_percentage=~-40'],
    ['cheapest heart', 'shape=heart&sort=retail_price'],
    ['best value heart', 'shape=heart'],
    ['largest heart', 'shape=heart&sort=weight&order=desc'],
    ['I want a nice emerald cut, D to F color', 'shape=emerald&color=D,E,F', 'nice'],
    ['1ct 2ct', 'weight=1-1.1', '2ct'],
    ['under €5000', '/search', 'under €5000'],
    ['asdf round qwer', 'shape=round', 'asdf', 'qwer'],
  ])('are read: %s', (text, address, ...unread) => {
    expect(read(text)).toEqual([address, ...unread])
  })

  it.each([
    [
      '2 Karat oval F VS1 unter 9.000',
      'shape=oval&color=F&clarity=VS1&weight=2-2.2&retail_price=-9000',
    ],
    [
      'Paar rund 1,5 Karat unter 5.000 €',
      'shape=round&weight=1.5-1.65&retail_price=-5000&view=pairs',
    ],
    ['zwischen 1 und 2 Karat, lupenrein', 'clarity=IF&weight=1-2'],
    ['von 1 bis 1,5 Karat', 'weight=1-1.5'],
    ['ab 1 Karat bis 5.000 Euro', 'weight=1-&retail_price=-5000'],
    ['über 1 Karat, höchstens 8 Tsd. Euro', 'weight=1-&retail_price=-8000'],
    ['mehr als 2 ct und weniger als 3 ct', 'weight=2-3'],
    ['mindestens 0,5 Karat oder 2 Karat und mehr', 'weight=0.5-', '2 Karat und mehr'],
    ['2-Karäter um 2 Karat', 'weight=2-2.2', 'um 2 Karat'],
    ['ungefähr 2 Karat', 'weight=1.8-2.2'],
    ['30-50 Punkte', 'weight=0.3-0.5'],
    ['maximal 3.000 € pro Karat', 'price_per_carat=-3000'],
    ['Kissen', 'shape=cushion'],
    ['Kissenschliff, Prinzessschliff', 'shape=cushion,princess'],
    ['Smaragdschliff oder Tropfenform', 'shape=emerald,pear'],
    ['herzförmige Diamanten', 'shape=heart'],
    ['ovaler Stein oder runder Brillant', 'shape=oval,round'],
    ['Prinzess, Herz und Marquise', 'shape=heart,marquise,princess'],
    ['Halbmond Raute Trapez Schild', 'shape=half_moon,lozenge,shield,trapezoid'],
    ['Altschliff Kissen', 'shape=cushion&cut_code=european_cut'],
    ['im Labor gezüchtet', 'type=lab+grown'],
    ['laborgezüchtete Diamanten', 'type=lab+grown'],
    ['natürlich, Labor GIA', 'type=mined&lab=GIA'],
    ['natürliche Diamanten mit Bild und mit Video', 'type=mined&with=has_image,has_video'],
    ['auf Kommission mit Rückgaberecht, nicht reserviert', 'with=memo,returnable,available'],
    ['Farbe D bis F, Reinheit VS1 oder besser', 'color=D,E,F&clarity=FL,IF,VVS1,VVS2,VS1'],
    ['mindestens G, ab VS2', 'color=D,E,F,G&clarity=FL,IF,VVS1,VVS2,VS1,VS2'],
    ['zwischen E und G', 'color=E,F,G'],
    ['sehr guter Schliff, Politur exzellent', 'cut_grade=VG&polish_grade=EX'],
    ['dreifach exzellent', 'cut_grade=IDL,EX&polish_grade=EX&symmetry_grade=EX'],
    ['ohne Fluoreszenz', 'fluorescence=None'],
    ['sehr starke Fluoreszenz', 'fluorescence=Very+Strong'],
    ['fancy intensiv gelb', 'color=YL&fancy_color_intensity=INT&fancy=yes'],
    ['hellblauer', '/search', 'hellblauer'],
    ['heller blauer Tropfen', 'shape=pear&color=BL&fancy_color_intensity=LIT&fancy=yes'],
    ['Tafel zwischen 57 und 60 %, Tiefe unter 62', 'depth_percentage=-62&table_percentage=57-60'],
    ['7x5 mm, Lieferung in 5 Werktagen', 'length=6.9-7.1&width=4.9-5.1&delivery_days=-5'],
    ['40 % unter Liste', 'off_rap_percentage=~-40'],
    ['Preis 3.000 bis 5.000', 'retail_price=3000-5000'],
    ['ich suche bitte einen schönen Diamanten', '/search', 'schönen'],
    ['größte Herzen', 'shape=heart&sort=weight&order=desc'],
    ['passendes Paar augenreiner Steine', 'eye_clean=yes&view=pairs'],
    ['oval 2 ct under 9.000', 'shape=oval&weight=2-2.2&retail_price=-9000'],
  ])('are read in German, with its numbers: %s', (text, address, ...unread) => {
    expect(read(text, german)).toEqual([address, ...unread])
  })

  it('never stop the reading, and every word is a filter, silent or named', () => {
    const words = fc.constantFrom(
      ...[
        '2ct',
        'F-H',
        'VS1+',
        'under',
        '9,000',
        '3EX',
        'pair',
        '-40%',
        '7x5',
        '<',
        '€',
        '½',
        '🙂',
      ],
      ...['ratio', '1..2', '.', '+', 'D-', '-', 'oder besser', '0', '99999999999999999999'],
    )
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.array(words).map((all) => all.join(' ')),
    )
    fc.assert(
      fc.property(texts, fc.constantFrom(english, german), (text, options) => {
        const { query, unread } = readWords(text, options)
        for (const { min, max } of Object.values(query.ranges)) {
          for (const end of [min, max]) if (end !== undefined) expect(end).toBeTypeOf('number')
          if (min !== undefined && max !== undefined) expect(min).toBeLessThanOrEqual(max)
        }
        for (const word of unread) expect(text.replaceAll(/\s+/g, ' ')).toContain(word)
        readSearch(text, options)
      }),
      { numRuns: 500 },
    )
  })

  it('that are unknown are named, wherever they stand', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^q[a-z]{3,9}q$/), fc.boolean(), (word, isFirst) => {
        const text = isFirst ? `${word} 2 ct oval` : `2 ct oval ${word}`
        expect(read(text)).toEqual(['shape=oval&weight=2-2.2', word])
      }),
    )
  })

  it('make an address that is read back as the same search', () => {
    const texts = ['2 ct oval F VS1 under 9,000', '-40% 7x5 round 3EX', 'fancy vivid pink pair']
    for (const text of texts) {
      const { query } = readWords(text, english)
      const url = new URL(searchUrl(query), 'http://pavilion.test')
      expect(parseQuery(url.searchParams)).toEqual(query)
    }
  })
})

describe('numbers of the search box', () => {
  const numbers = (text: string) => {
    const search = readSearch(text, english)
    return search.kind === 'numbers' ? search.numbers : search.kind
  }

  it.each([
    ['K7Q2M9X4TB', ['K7Q2M9X4TB']],
    ['LG704612957', ['LG704612957']],
    ['GIA 2141438171', ['2141438171']],
    ['igi-lg704612957; 2141438171', ['lg704612957', '2141438171']],
    ['A-4711x\nB-4712x\n\nA-4711x', ['A-4711x', 'B-4712x']],
    ['"K7Q2M9X4TB", 2141438171, unknown', ['K7Q2M9X4TB', '2141438171', 'unknown']],
  ])('are found in a list: %s', (text, expected) => {
    expect(numbers(text)).toEqual(expected)
  })

  it.each(['2 ct oval', 'under 9000', '1.5ct', 'VS1', '10000', 'round'])(
    'are not seen in words: %s',
    (text) => expect(numbers(text)).toBe('words'),
  )

  it('are no more than one search takes, and the rest is counted', () => {
    const text = Array.from({ length: 350 }, (_, index) => 2_141_438_000 + index).join('\n')
    expect(readSearch(text, english)).toMatchObject({ kind: 'numbers', leftOut: 50 })
  })
})

describe('pairs', () => {
  const stone = (sku: string, more: Partial<Matchable> = {}): Matchable => ({
    sku,
    shape: 'round',
    type: 'mined',
    weight: 1,
    length: 6.4,
    width: 6.4,
    color: 'F',
    is_fancy: false,
    fancy_color_intensity: null,
    clarity: 'VS1',
    retail_price: 1_000,
    ...more,
  })
  const skus = (stones: Matchable[], price = {}) =>
    matchPairs(stones, price).map(({ stones: [one, other] }) => `${one.sku}${other.sku}`)

  it('are the most alike first, and a stone is in one pair only', () => {
    const stones = [stone('A'), stone('B', { color: 'G' }), stone('C'), stone('D', { color: 'G' })]
    expect(skus(stones)).toEqual(['AC', 'BD'])
  })

  it.each([
    ['shape', { shape: 'oval' }],
    ['origin', { type: 'lab grown' }],
    ['weight', { weight: 1.1 }],
    ['size', { length: 6.6 }],
    ['color', { color: 'H' }],
    ['clarity', { clarity: 'SI1' }],
    ['a color without a grade', { color: null }],
    ['a fancy color', { is_fancy: true, color: 'YL' }],
  ] as [string, Partial<Matchable>][])('are not made of stones that differ in %s', (_, more) => {
    expect(skus([stone('A'), stone('B', more)])).toEqual([])
  })

  it('cost together what was asked for', () => {
    expect(skus([stone('A'), stone('B')], { max: 1_999 })).toEqual([])
    expect(skus([stone('A'), stone('B')], { max: 2_000, min: 2_000 })).toEqual(['AB'])
  })
})
