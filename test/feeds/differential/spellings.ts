import type { ShapeName } from './stones.ts'

/**
 * How suppliers write what a stone is. A file keeps to one list of each; where a list has several
 * spellings, separated by `|`, each row has one of them.
 */
export type Spelling<Value extends string = string> = Partial<Record<Value, string>>

export const SHAPE_STYLES: Record<string, Record<ShapeName, string>> = {
  words: {
    round: 'Round',
    oval: 'Oval',
    pear: 'Pear',
    emerald: 'Emerald',
    princess: 'Princess',
    cushion: 'Cushion Brilliant',
    marquise: 'Marquise',
    heart: 'Heart',
    radiant: 'Radiant',
    asscher: 'Asscher',
    baguette: 'Baguette',
    triangle: 'Trilliant',
  },
  upper: {
    round: 'ROUND',
    oval: 'OVAL',
    pear: 'PEAR',
    emerald: 'EMERALD',
    princess: 'PRINCESS',
    cushion: 'CUSHION MODIFIED',
    marquise: 'MARQUISE',
    heart: 'HEART',
    radiant: 'SQUARE RADIANT',
    asscher: 'SQUARE EMERALD',
    baguette: 'BAGUETTE',
    triangle: 'TRIANGULAR',
  },
  rapnet: {
    round: 'BR',
    oval: 'OV',
    pear: 'PS',
    emerald: 'EM',
    princess: 'PR',
    cushion: 'CU',
    marquise: 'MQ',
    heart: 'HS',
    radiant: 'RAD',
    asscher: 'AS',
    baguette: 'BAG',
    triangle: 'TRIL',
  },
  short: {
    round: 'RD',
    oval: 'OV',
    pear: 'PS',
    emerald: 'EC',
    princess: 'PRIN',
    cushion: 'CMB',
    marquise: 'MQB',
    heart: 'HT',
    radiant: 'LRAD',
    asscher: 'ASH',
    baguette: 'BAG',
    triangle: 'TR',
  },
  any: {
    round: 'Round|BR|RB|RD|RBC|RND|B|Round Brilliant|ROUND|round|RBC',
    oval: 'Oval|OV|OMB|OVAL|oval',
    pear: 'Pear|PS|PSH|PB|PMB|Pear Modified Brilliant',
    emerald: 'Emerald|E|EM|EC|Emerald Cut',
    princess: 'Princess|PRN|PR|PRIN|PN|PC|MDSQB|SMB',
    cushion:
      'Cushion|CB|CU|CUX|CMB|CUSH|CUS|RCRMB|CRC|CSC|CX|RCSB|SCMB|SCX|Cu|Cushion B|Cushion Modified',
    marquise: 'Marquise|MQB|MQ|MARQUISE',
    heart: 'Heart|HS|HT|MHRC|HEART',
    radiant: 'Radiant|RAD|RA|RC|RDN|CRB|RCRB|LRAD|Square Radiant',
    asscher: 'Asscher|AS|CSS|CSSC|ASH|SQEM|SQ. EMERALD|Square Emerald|ASCHER',
    baguette: 'Baguette|BAG|BAGUETTE',
    triangle: 'Trilliant|TR|TRIL|Triangular|TRIANGULAR',
  },
  /** Codes that mean different shapes for different suppliers, decided by each stone's sides. */
  letters: {
    round: 'R',
    oval: 'O',
    pear: 'P',
    emerald: 'E',
    princess: 'PR',
    cushion: 'C',
    marquise: 'M',
    heart: 'H',
    radiant: 'RAD',
    asscher: 'AC',
    baguette: 'BAG',
    triangle: 'T',
  },
}

export const GRADE_STYLES: Record<string, Spelling> = {
  short: { IDL: 'ID', EX: 'EX', VG: 'VG', G: 'G', F: 'F' },
  long: { IDL: 'Ideal', EX: 'Excellent', VG: 'Very Good', G: 'Good', F: 'Fair' },
  upper: { IDL: 'IDEAL', EX: 'EXCELLENT', VG: 'V.GOOD', G: 'GOOD', F: 'FAIR' },
  letters: { IDL: 'I', EX: 'X', VG: 'V', G: 'GD', F: 'FR' },
  mixed: { IDL: 'Ideal', EX: 'EXC', VG: 'V.G', G: 'GD', F: 'FR' },
  any: {
    IDL: 'I|ID|Ideal|IDEAL',
    EX: 'EX|X|E|Excellent|EXCELLENT|EXC|ex',
    VG: 'VG|GV|vg|Very Good|V.Good|V.G|V',
    G: 'G|GD|Good|GOOD',
    F: 'F|FR|Fair',
  },
}

export const FLUORESCENCE_STYLES: Record<string, Spelling> = {
  long: {
    None: 'None',
    Faint: 'Faint',
    Medium: 'Medium',
    Strong: 'Strong',
    'Very Strong': 'Very Strong',
  },
  letters: { None: 'N', Faint: 'F', Medium: 'M', Strong: 'S', 'Very Strong': 'VS' },
  blue: {
    None: 'NONE',
    Faint: 'FNT BL',
    Medium: 'MB',
    Strong: 'STG BL',
    'Very Strong': 'VSTB',
  },
  words: {
    None: 'NON',
    Faint: 'FAINT BLUE',
    Medium: 'MEDIUM BLUE',
    Strong: 'Strong Blue',
    'Very Strong': 'VERY STRONG BLUE',
  },
  codes: { None: 'NN', Faint: 'FT', Medium: 'MD', Strong: 'SB', 'Very Strong': 'VST' },
  any: {
    None: 'N|None|NON|NONE|NN',
    Faint: 'F|Faint|FT|FNT BL|FNT|Faint Blue',
    Medium: 'M|MD|MB|MODER|Medium|MED|Medium Blue|MED BLUE',
    Strong: 'S|STG BL|STB|SB|Strong|Strong Blue|STG|ST',
    'Very Strong': 'VS|VSTB|VST|Very Strong|VSTG|Very Strong Blue',
  },
}

export const GIRDLE_STYLES: Record<string, Spelling> = {
  codes: {
    XTK: 'XTK',
    VTK: 'VTK',
    TK: 'TK',
    STK: 'STK',
    MD: 'MED',
    TN: 'TN',
    VTN: 'VTN',
    ETN: 'XTN',
  },
  words: {
    XTK: 'Extremely Thick',
    VTK: 'Very Thick',
    TK: 'Thick',
    STK: 'Slightly Thick',
    MD: 'Medium',
    TN: 'Thin',
    VTN: 'Very Thin',
    ETN: 'Extremely Thin',
  },
  upper: {
    XTK: 'ETK',
    VTK: 'V.THICK',
    TK: 'THK',
    STK: 'SL.THICK',
    MD: 'MEDIUM',
    TN: 'THN',
    VTN: 'V.THIN',
    ETN: 'EX.THIN',
  },
  any: {
    XTK: 'XTK|ETK|Extremely Thick|EXT THICK',
    VTK: 'VTK|Very Thick|V.THICK|VTHK',
    TK: 'TK|THK|Thick|THICK',
    STK: 'STK|SL.THICK|Slightly Thick|SLTK|SLIGHTLY THICK',
    MD: 'M|MED|Medium|MEDIUM',
    TN: 'TN|THN|Thin|THIN',
    VTN: 'VTN|Very Thin|V.THIN|VTHN',
    ETN: 'XTN|ETN|Extremely Thin',
  },
}

export const CULET_STYLES: Record<string, Spelling> = {
  codes: { N: 'N', VS: 'VS', S: 'S', M: 'M' },
  words: { N: 'None', VS: 'Very Small', S: 'Small', M: 'Medium' },
  upper: { N: 'NONE', VS: 'V.SMALL', S: 'SML', M: 'MED' },
  any: {
    N: 'N|None|NONE|NON|Pointed',
    VS: 'VS|Very Small|V.SMALL|VERY SMALL',
    S: 'S|SML|Small|SMALL',
    M: 'M|MED|Medium',
  },
}

export const HUE_WORDS: Spelling = {
  YL: 'Yellow',
  PN: 'Pink',
  BL: 'Blue',
  GR: 'Green',
  OR: 'Orange',
  BN: 'Brown',
  GY: 'Gray',
  BK: 'Black',
  PL: 'Purple',
}
export const INTENSITY_WORDS: Spelling = {
  FAN: 'Fancy',
  INT: 'Fancy Intense',
  VIV: 'Fancy Vivid',
  FLT: 'Fancy Light',
  FDP: 'Fancy Deep',
  FDK: 'Fancy Dark',
  FNT: 'Faint',
  VLT: 'Very Light',
  LIT: 'Light',
}
/** Intensity and hue in one code, as Ritani's map has them. */
export const FANCY_CODES: Spelling = {
  'FAN YL': 'FY',
  'FLT YL': 'FLY',
  'INT YL': 'FIY',
  'VIV YL': 'FVY',
  'FDP YL': 'FPY',
  'FDK YL': 'FDY',
}

export const COUNTRY_WORDS: Spelling = {
  IND: 'India',
  USA: 'United States',
  BEL: 'Belgium',
  ISR: 'Israel',
  HKG: 'Hong Kong',
}
export const COUNTRY_SHORT: Spelling = {
  IND: 'IN',
  USA: 'USA',
  BEL: 'BE',
  ISR: 'IL',
  HKG: 'HK',
}

export const STATUS_STYLES: Record<string, Spelling> = {
  rapnet: { free: 'G', sold: 'NA', memo: 'M', hold: 'NA' },
  words: { free: 'Available', sold: 'Sold', memo: 'On Memo', hold: 'Hold' },
  upper: { free: 'GUARANTEED', sold: 'SOLD', memo: 'MEMO', hold: 'ON HOLD' },
  blank: { free: '', sold: 'Unavailable', memo: 'Out on Memo', hold: 'Hold' },
}
