import type { ChoiceName, FlagName, SearchQuery } from '../search/query.ts'
import { CLARITY_RULES, COLOR_RULES, GRADE_RULES } from './grade-rules.ts'
import {
  CUT_CODE_WORDS,
  FLAG_WORDS,
  FLUORESCENCE_WORDS,
  HUE_WORDS,
  INTENSITY_WORDS,
  SHAPE_WORDS,
  SILENT_WORDS,
  SORT_WORDS,
} from './vocabulary.ts'
import { choose, type Rule, rule } from './word-rule.ts'

/** One rule for each word of a table, which chooses its value. */
function table(
  words: readonly (readonly [pattern: string, value: string])[],
  name: ChoiceName,
  around: (pattern: string) => string,
  change?: (query: SearchQuery) => void,
): Rule[] {
  return words.map(([pattern, value]) =>
    rule(around(`(?:${pattern})`), (query) => {
      change?.(query)
      return choose(query, name, [value])
    }),
  )
}

const fancy = (query: SearchQuery) => {
  query.fancy = true
}

const FLUORESCENCE_RULES = [
  ...table(FLUORESCENCE_WORDS, 'fluorescence', (word) => `${word}(?: (?:blue|blaue?))? fluo\\w*`),
  ...table(FLUORESCENCE_WORDS, 'fluorescence', (word) => `fluo\\w*:? ${word}`),
]

const LAB_GROWN =
  'lab(?:[- ]?(?:grown|created|made))?|lgd?s?|synthetisch\\p{L}*|' +
  '(?:(?:im |aus dem )?labor\\p{L}*[- ]?)?(?:gezüchtet|gewachsen|hergestellt)\\p{L}*|' +
  '(?:im |aus dem )?labor\\p{L}*'

const ORIGIN_RULES = [
  rule('(gia|igi|gcal)(?:[- ](?:lab(?! ?grown)|cert\\w*|graded))?', (query, [, lab]) =>
    choose(query, 'lab', [lab.toUpperCase()]),
  ),
  rule('(cvd|hpht)', (query, [, method]) => {
    choose(query, 'type', ['lab grown'])
    return choose(query, 'grow_method', [method.toUpperCase()])
  }),
  // The name of a laboratory may follow: that is its word.
  rule('lab(?:or)?:?(?= (?:gia|igi|gcal))', () => true),
  rule(LAB_GROWN, (query) => choose(query, 'type', ['lab grown'])),
  rule('naturals?|mined|earth[- ]?mined|natürlich\\p{L}*|natur(?:diamant\\p{L}*)?', (query) =>
    choose(query, 'type', ['mined']),
  ),
]

const FANCY_RULES = [
  ...table(INTENSITY_WORDS, 'fancy_color_intensity', (word) => word, fancy),
  ...table(HUE_WORDS, 'color', (word) => `(?:fancy )?${word}`, fancy),
  rule('fancy(?! shape)(?:[- ](?:colou?rs?|farben?))?|farbig(?:e[rsn]?)?', (query) => {
    fancy(query)
    return true
  }),
]

const FLAG_RULES = FLAG_WORDS.map(([pattern, flag]) =>
  rule(pattern, (query) => addFlag(query, flag)),
)

function addFlag(query: SearchQuery, flag: FlagName): true {
  query.flags = [...new Set([...query.flags, flag])]
  return true
}

const SORT_RULES = SORT_WORDS.map(([pattern, sort, order]) =>
  rule(pattern, (query) => {
    Object.assign(query, { sort, order })
    return true
  }),
)

/** The rules in the order in which they are tried. */
export const WORD_RULES: readonly Rule[] = [
  ...FLUORESCENCE_RULES,
  rule('(?:a |matched |matching |passende[sn]? )?(?:pairs?|paare?)(?: of| von)?', (query) => {
    query.view = 'pairs'
    return true
  }),
  rule('eye[- ]?clean|augenrein(?:e[rsn]?)?', (query) => choose(query, 'eye_clean', ['yes'])),
  ...ORIGIN_RULES,
  ...FANCY_RULES,
  ...GRADE_RULES,
  ...table(
    SHAPE_WORDS,
    'shape',
    (word) => `${word}(?:[- ](?:cut|shaped?)|[- ]?(?:schliff|form|förmig(?:e[rsn]?)?))?`,
  ),
  ...table(CUT_CODE_WORDS, 'cut_code', (word) => word),
  ...CLARITY_RULES,
  ...FLAG_RULES,
  ...SORT_RULES,
  rule(SILENT_WORDS, () => true),
  ...COLOR_RULES,
]
