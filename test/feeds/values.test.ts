import { describe, expect, it } from 'vitest'
import { readAvailability } from '../../src/feeds/values/availability.ts'
import { readCertNum, readLab } from '../../src/feeds/values/certificate.ts'
import { readColor, readIntensity, readOvertone } from '../../src/feeds/values/color.ts'
import { readCountry } from '../../src/feeds/values/country.ts'
import {
  readClarity,
  readCulet,
  readCutGrade,
  readFinish,
  readFluorescence,
  readGirdle,
} from '../../src/feeds/values/grades.ts'
import { readGrowMethod, readGrown } from '../../src/feeds/values/growth.ts'
import { readUrl } from '../../src/feeds/values/links-and-details.ts'
import { fitsWeight, readMeasurements } from '../../src/feeds/values/measurements.ts'
import { readNumber, readPercentage } from '../../src/feeds/values/numbers.ts'
import { readShape } from '../../src/feeds/values/shape.ts'
import { decideShape, learnShapeCodes } from '../../src/feeds/values/shape-codes.ts'

/** Checks a table of `value: 'spelling|spelling'`. */
function spelled<T>(read: (text: string) => T, table: Record<string, string>): void {
  for (const [value, spellings] of Object.entries(table)) {
    for (const spelling of spellings.split('|')) {
      expect([spelling, String(read(spelling))]).toEqual([spelling, value])
    }
  }
}

describe('shapes', () => {
  it('are read in every spelling of the trade', () => {
    spelled((text) => readShape(text)?.shape, {
      round:
        'Round|BR|ROUND|RD|round|B|RB|RBC|RND|Round Brilliant|ROUND MODIFIED BRILLIANT|European Cut|EU|OLD EUROPEAN|Rose|Hearts & Arrows|Hearts and Arrows Round|Round (Hearts)|Circular Brilliant|Transitional Cut',
      pear: 'P|PS|PSH|PB|PMB|Pear|PEAR MODIFIED BRILLIANT|PEMB',
      emerald: 'E|EM|EC|Emerald|EMERALD',
      princess: 'PRN|PR|PRIN|PN|PC|MDSQB|SMB|Princess|PRI',
      marquise: 'MQB|M|MQ|Marquise|marquis|Navette',
      asscher: 'A|CSS|CSSC|AC|AS|ASH|Asscher|ASCHER|SQ. EMERALD|SQEM|SQUARE EMERALD',
      cushion:
        'C|CB|CU|Cu|CUX|CMB|CUSH|CUS|RCRMB|CRC|CSC|CX|RCSB|SCMB|SCX|Cushion Brilliant|Cushion Modified|CUSHION B|Old Miner|CU MOD|Cush Mod|CBR',
      heart: 'H|HS|HT|MHRC|Heart|HMB',
      oval: 'O|OV|OMB|Oval|OVAL MIXED CUT',
      radiant:
        'R|RAD|RA|RC|RDN|CRB|RCRB|Square Radiant|Long Radiant|LRAD|PRAD|Cut Cornered Rectangular Modified Brilliant',
      triangle: 'TR|TRIL|T|Trilliant|TRIANGULAR',
      baguette: 'BAG|Baguette',
      tapered_baguette: 'TB|Tapered Baguette|Baguette Tapered',
      bullets: 'Bullet|Tapered Bullet',
      half_moon: 'Half Moon|HALFMOON',
      trapezoid: 'Trapezoid|TRAPEZE',
      hexagon: 'Hexagonal',
      octagon: 'Octagonal',
      lozenge: 'Lozenge',
      shield: 'Shield',
      briolette: 'Briolette',
      calf: 'Calf',
      rectangle: 'RECTANGLE|RECTANGULAR',
      undefined: '|Star|Fan|Kite|XX|Flanders',
    })
  })

  it('include the cut', () => {
    spelled((text) => readShape(text)?.cut_code, {
      brilliant_cut: 'Round|Oval|Pear|Marquise|Heart|Princess|CB|Cushion',
      step_cut: 'Emerald|Asscher|Baguette|TB|Trapezoid',
      modified_cut: 'CMB|Cushion Modified|PMB|Round Modified Brilliant|Cushion Mod.|CU MOD|CCRMB',
      mixed_cut: 'Oval Mixed Cut',
      european_cut: 'EU|European Cut|Old European',
      old_mine_cut: 'Old Miner',
      rose_cut: 'Rose',
    })
  })

  describe('of ambiguous codes', () => {
    const shapeOf = (code: string, sides: string, hasCutGrade = false, grades_fancies = false) => {
      const measures = readMeasurements(sides, { decimalComma: false }) ?? NO_SIDES
      const decided = decideShape(code, { grades_fancies }, { measures, weight: 1, hasCutGrade })
      return 'shape' in decided ? decided.shape : decided.reason
    }
    const NO_SIDES = {
      length: undefined,
      width: undefined,
      depth: undefined,
      depth_percentage: undefined,
    }

    it('are decided by the ratio and the density of the stone', () => {
      expect(shapeOf('R', '6.42x6.38x3.95')).toBe('round')
      expect(shapeOf('R', '5.60x5.55x3.90')).toBe('radiant')
      expect(shapeOf('R', '6.90x5.20x3.60')).toBe('radiant')
      expect(shapeOf('P', '8.40x5.60x3.45')).toBe('pear')
      expect(shapeOf('P', '5.50x5.45x4.00')).toBe('princess')
      expect(shapeOf('AC', '5.60x5.55x3.70')).toBe('asscher')
      expect(shapeOf('AC', '7.00x5.00x3.30')).toBe('emerald')
      expect(shapeOf('C', '5.90x5.60x3.80')).toBe('cushion')
    })

    it('are rejected when the measurements fit neither meaning, or both', () => {
      const sides = 'the measurements do not tell which'
      expect(shapeOf('R', '6.10x6.05x3.85')).toBe(
        `The code may mean round or radiant, and ${sides}`,
      )
      expect(shapeOf('R', '7.60x5.60x3.85')).toMatch(/round or radiant/)
      expect(shapeOf('R', '6.42x6.38')).toMatch(/round or radiant/)
      expect(shapeOf('AC', '5.90x5.25x3.50')).toMatch(/asscher or emerald/)
      expect(shapeOf('R', '')).toMatch(/there are no measurements/)
      expect(shapeOf('C', '6.42x6.38x3.95')).toMatch(/means cushion, which the measurements/)
      expect(shapeOf('SQ', '5.50x5.45x4.00')).toMatch(/may be princess, asscher/)
      expect(shapeOf('TP', '5.50x2.45x1.50')).toMatch(/may be tapered baguette or trapezoid/)
    })

    it('mean round when only rounds have a cut grade and the stone has one', () => {
      expect(shapeOf('R', '', true)).toBe('round')
      expect(shapeOf('R', '6.42x6.38', true)).toBe('round')
      expect(shapeOf('R', '', true, true)).toMatch(/round or radiant/)
      expect(shapeOf('R', '6.90x5.20x3.60', true)).toBe('radiant')
      const ovals = [1, 2, 3].map((each) => ({ shape: 'Oval', hasCutGrade: each > 1 }))
      expect(learnShapeCodes(ovals, undefined)).toEqual({ grades_fancies: true })
      expect(learnShapeCodes([], { grades_fancies: true })).toEqual({ grades_fancies: true })
    })
  })

  it('outside our list are rejected by their names', () => {
    const reasonOf = (text: string) => {
      const sides = readMeasurements('5x4x3', { decimalComma: false })
      if (!sides) throw new Error('the sides are readable')
      const evidence = { measures: sides, weight: 0.4, hasCutGrade: false }
      return decideShape(text, { grades_fancies: false }, evidence)
    }
    expect(reasonOf('KITE')).toEqual({ reason: 'Kite is not sold here' })
    expect(reasonOf('epaulette')).toEqual({ reason: 'Epaulette is not sold here' })
    expect(reasonOf('Pentagonal')).toEqual({ reason: 'Pentagonal is not sold here' })
    expect(reasonOf('Zigzag')).toEqual({ reason: 'The shape is not known' })
  })
})

describe('colors', () => {
  it('of the white scale', () => {
    spelled(
      (text) => {
        const color = readColor(text)
        return color && !color.is_fancy ? color.color : undefined
      },
      {
        D: 'D|d| D ',
        G: 'G|G+|G-|F-G|F/G|FG|F,G',
        F: 'DEF|D-E-F|D/E/F',
        K: 'K|K-FAINT BROWN|K, Faint Brown',
        YZ: 'YZ|Y-Z|Y - Z|y/z|Y to Z Range',
        OP: 'O-P|OP|OP Light Yellow',
        ST: 'S-T, Very Light Brown|ST Light Brown',
        N: 'N',
        undefined: '|TLB|?|FY|Colorless',
      },
    )
  })

  it('of fancy stones, by code and by words', () => {
    const fancy = (text: string) => {
      const color = readColor(text)
      if (!color?.is_fancy) return undefined
      return [color.fancy_color_intensity, color.overtone, color.color].filter(Boolean).join(' ')
    }
    spelled(fancy, {
      'FAN YL': 'FY|Fancy Yellow|FANCY YELLOW|fancy yellow',
      'FLT YL': 'FLY|Fancy Light Yellow|Fancy Lite Yellow',
      'INT YL': 'FIY|Fancy Intense Yellow|Natural Fancy Intense Yellow',
      'VIV YL': 'FVY|Fancy Vivid Yellow',
      'FDP YL': 'FPY|Fancy Deep Yellow',
      'FDK YL': 'FDY|Fancy Dark Yellow',
      'INT Brownish YL': 'Fancy Intense Brownish Yellow|Fancy Intense Brown-Yellow',
      'FLT Purplish PN': 'Fancy Light Purplish Pink',
      'LIT YL': 'Light Yellow',
      'VLT BL': 'Very Light Blue',
      'FNT PN': 'Faint Pink',
      'FAN BK': 'Fancy Black',
    })
    expect(readIntensity('FC-Intense')).toBe('INT')
    expect(readOvertone('BROWN')).toBe('Brownish')
    expect(readOvertone('None')).toBeUndefined()
  })
})

describe('grades', () => {
  it('of clarity', () => {
    spelled((text) => readClarity(text)?.clarity, {
      FL: 'FL|Flawless',
      IF: 'IF|LC|Loupe Clean|Internally Flawless (IF)',
      VVS1: 'VVS1|VVS-1|vvs 1',
      VS2: 'VS2|VS',
      SI3: 'SI3',
      I1: 'I1|P1',
      I2: 'P2|I2',
      I3: 'I3|P3',
      SI2: 'VS-SI|SI2|SI2 EC|SI2 (Eye Clean)|SI2 - eye clean',
      undefined: '|N|X9|VS1 (SI1)|EC|Eye Clean|VS1 good',
    })
    expect(readClarity('VS-SI')).toEqual({ clarity: 'SI2', clarity_max: 'VS1' })
    expect(readClarity('VVS1-2')).toEqual({ clarity: 'VVS2', clarity_max: 'VVS1' })
  })

  it('of cut, polish and symmetry', () => {
    spelled(readCutGrade, {
      IDL: 'I|ID|Ideal|IDEAL|HA|H&A|EX H&A|Hearts & Arrows|AGS 000',
      EX: 'EX|EXC|X|E|Excellent|EXCELLENT|Premium|EX-I|I-EX|EX EX EX|Exellent',
      VG: 'VG|V|GV|vg|Very Good|V.Good|V.G|VG-EX|V.Good to Exc.|EX/VG',
      G: 'G|GD|G-VG|Good',
      F: 'F|FR|F-G|Fair',
      P: 'P|Poor|F-P',
      undefined: '|None|-|N/A|EX-2 VG',
    })
    spelled(readFinish, { EX: 'I|ID|Ideal|EX|X', VG: 'VG|VGEX', G: 'GD' })
  })

  it('of fluorescence, with a color or without', () => {
    spelled(readFluorescence, {
      None: 'N|None|NON|NONE|NN|NG',
      Faint: 'F|Faint|FT|FNT BL|FNT',
      Medium: 'M|MD|MB|MODER|MEDIUM BLUE|Medium|Medium Bluish White',
      Strong: 'S|STG BL|STB|SB|Strong Blue|STRONG|BLUE STRONG',
      'Very Strong': 'VS|VSTB|Very Strong Blue|VST',
      Slight: 'SLT BL|SLY|SL',
      'Very Slight': 'VSL|VSLB',
      undefined: '|?|Blue',
    })
  })

  it('of culet, where VS is very small', () => {
    spelled(readCulet, {
      N: 'N|None|NON|Pointed|PNT|No Culet|None (Pointed)',
      VS: 'VS|Very Small',
      S: 'S|Small',
      M: 'Medium',
      SL: 'Slightly Large',
      L: 'L',
      undefined: 'chipped',
    })
  })

  it('of girdle, thick end and thin end', () => {
    spelled(
      (text) => {
        const girdle = readGirdle(text)
        return girdle && `${girdle.girdle_min} ${girdle.girdle_max}`
      },
      {
        'MD STK':
          'MED - STK|MEDIUM - SL.THICK|Medium to Slightly Thick|M-STK|STK to MED|M/STK|Medium - Slightly Thick (Faceted)|MED STK|MEDIUM SLIGHTLY THICK|MED-SLT.THK FC',
        'MD MD': 'M|MED|M F|Medium (Faceted)|MEDIUM - MEDIUM',
        'TN TN': 'TN|THN|Thin',
        'TK TK': 'TK|THK',
        'VTK VTK': 'VTK',
        'XTK XTK': 'ETK|XTK|Extremely Thick',
        'ETN VTK': 'XTN - VTK',
        undefined: '|?|3.5%|THN-STK-TK',
      },
    )
  })
})

describe('measurements', () => {
  it('in every pattern, the longer side first', () => {
    for (const text of [
      '6.53 x 6.50 x 4.01',
      '6.50x6.53x4.01',
      '6.50X6.53X4.01',
      '6.50*6.53*4.01',
      '6.50|6.53|4.01',
      '6.50-6.53x4.01',
      '6.50 - 6.53 x 4.01 mm',
      '6.50 6.53 4.01',
      '6,50 x 6,53 x 4,01',
      '6.50×6.53×4.01',
      '(6.50-6.53)*4.01',
    ]) {
      expect([text, readMeasurements(text, { decimalComma: false })]).toEqual([
        text,
        { length: 6.53, width: 6.5, depth: 4.01, depth_percentage: undefined },
      ])
    }
    expect(readMeasurements('6.5x6.4', { decimalComma: false })).toMatchObject({
      length: 6.5,
      width: 6.4,
      depth: undefined,
    })
    expect(readMeasurements('6.5x6.4x61.5', { decimalComma: false })).toMatchObject({
      depth: undefined,
      depth_percentage: 61.5,
    })
    for (const text of ['', '0|0|0', 'XX', '0 x 0 x 0', '1x2x3x4', '650x653x401']) {
      expect([text, readMeasurements(text, { decimalComma: false })]).toEqual([text, undefined])
    }
  })

  it('must fit the weight', () => {
    const sides = { length: 6.5, width: 6.5, depth: 4, depth_percentage: undefined }
    expect(fitsWeight(sides, 1.02)).toBe(true)
    expect(fitsWeight(sides, 10.2)).toBe(false)
    expect(fitsWeight(sides, 0.1)).toBe(false)
  })
})

describe('numbers', () => {
  it('as feeds write them', () => {
    const plain = { decimalComma: false }
    const comma = { decimalComma: true }
    expect(
      [
        '1.01',
        '.53ct',
        '$ 5,210.00',
        '60.70%',
        '(30)',
        '1 234.5',
        '5,210',
        '12 USD',
        'x',
        '',
        '1.2.3',
        '-37.78',
        '+3',
        '−32%',
        '32.00-',
        '$5,210/ct',
        '5210 per carat',
      ].map((text) => readNumber(text, plain)),
    ).toEqual([
      1.01,
      0.53,
      5210,
      60.7,
      -30,
      1234.5,
      5210,
      12,
      undefined,
      undefined,
      undefined,
      -37.78,
      3,
      -32,
      -32,
      5210,
      5210,
    ])
    expect(['1,01', '1.234,50', '5,210'].map((text) => readNumber(text, comma))).toEqual([
      1.01, 1234.5, 5.21,
    ])
    expect(
      ['61.7', '0.617', '60.70%', '0', '617'].map((text) => readPercentage(text, plain)),
    ).toEqual([61.7, 61.7, 60.7, undefined, undefined])
  })
})

describe('words', () => {
  it('for laboratories, including unknown ones', () => {
    for (const text of ['GIA', 'gia', 'G.I.A.', 'GIA USA', 'GIA - Dossier'])
      expect(readLab(text).lab).toBe('GIA')
    expect(readLab('EGL USA')).toMatchObject({ lab: null, lab_name: 'EGL USA' })
    for (const text of ['NO CERT', 'None', '0', '', 'Non-Cert'])
      expect(readLab(text)).toMatchObject({ lab: null, lab_name: null })
    expect(readLab('GIA 2141438171')).toMatchObject({ lab: 'GIA', cert_num: '2141438171' })
  })

  it('for certificate numbers, which stay strings', () => {
    expect(
      [
        '2141438171',
        '2141438171.0',
        '2.21E+09',
        '0',
        'LG551234567',
        ' GIA 2141438171',
        '0012345678',
        'N/A',
        "'1234567",
        '2141438171 (GIA)',
        '2141438171-GIA',
        '2141438171.pdf',
        '2,141,438,171',
      ].map(readCertNum),
    ).toEqual([
      '2141438171',
      '2141438171',
      undefined,
      undefined,
      'LG551234567',
      '2141438171',
      '0012345678',
      undefined,
      '1234567',
      '2141438171',
      '2141438171',
      '2141438171',
      '2141438171',
    ])
  })

  it('for lab grown stones', () => {
    spelled(readGrown, {
      true: 'LG|Lab Grown|lab-grown|Lab|1|true|Y|CVD|HPHT|Lab Grown Diamond',
      false: 'Natural|mined|0|N|false|Natural Diamond',
      undefined: 'IIa|',
    })
    spelled(readGrowMethod, {
      CVD: 'CVD|cvd|Chemical Vapor Deposition',
      HPHT: 'HPHT',
      undefined: '',
    })
  })

  it('for availability', () => {
    spelled(readAvailability, {
      true: 'G|GA|Guaranteed|GuaranteedAvailable|Available|STPS|Subject to Prior Sale|NEW|Not Specified||Y|In Stock|A - Available|Guaranteed (G)',
      false: 'NA|Not Available|N|Unavailable|M|Memo|On Memo|Out on Memo|Sold|Hold|H - Hold|M: Memo',
      undefined: 'purple|?|A - Hold|Available - Memo|фиолетовый|紫色|סגול',
    })
    spelled(readAvailability, {
      true: 'Verfügbar|auf Lager|Disponible|En stock|Disponível|Disponibile|Op voorraad|В наличии|да|现货|可售|在庫あり|販売中|זמין|במלאי|-',
      false:
        'Verkauft|Reserviert|nicht verfügbar|Vendu|RÉSERVÉ|Vendido|Não disponível|Venduto|Prenotato|Verkocht|Niet beschikbaar|Bik gaya',
    })
    spelled(readAvailability, {
      false:
        'Продано|Резерв|нет в наличии|нет|售出|已售|已售 12/3|保留|売約済|売約済み|予約済|在庫切れ|נמכר|שמור|לא זמין|H|In Process|In Transit|Transit|Upcoming',
    })
  })

  it('for countries and links', () => {
    spelled(readCountry, {
      IND: 'India|IN|IND|Mumbai|Mumbai, India|Surat, IN|INDIA (MUMBAI)|India Office|Mumbai India',
      USA: 'USA|US|United States|New York|NY - USA|Los Angeles, CA|Atlanta, GA|Houston, TX|LA|US-NY|United States (NY)|Chicago IL',
      HKG: 'Hong Kong|HK|Hong Kong Office',
      GBR: 'UK|United Kingdom|London UK',
      LAO: 'Laos',
      ISR: 'Ramat Gan',
      BEL: 'Belgium|Antwerp',
      undefined:
        '|Atlantis|Carlsbad, CA|Denver, CO|New Jersey|Can ship|Belgium Hong Kong|Mumbai CA',
    })
    expect(
      [
        'https://a.example/x.jpg',
        '//a.example/x',
        'x.jpg',
        'javascript:alert(1)',
        'http://a b',
      ].map(readUrl),
    ).toEqual(['https://a.example/x.jpg', 'https://a.example/x', undefined, undefined, undefined])
    const [first, second] = ['https://a.example/1.jpg', 'http://a.example/2.jpg']
    for (const separator of [';', ',', '|', ' ', '; ', ' | ', '\n'])
      expect([separator, readUrl(`${first}${separator}${second}`)]).toEqual([separator, first])
    expect(readUrl(`${first};`)).toBe(first)
    expect(readUrl(`${first}?next=${second}`)).toBe(`${first}?next=${second}`)
  })
})
