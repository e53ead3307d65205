import { CLARITIES, COLORS } from '../../../src/reference/attributes.ts'
import type { SearchQuery } from '../search/query.ts'
import { GRADE_WORDS } from './vocabulary.ts'
import { choose, type Rule, rule } from './word-rule.ts'

const TO = '\\s*(?:-|–|—|to|bis)\\s*'
const LEAST = '(?:at least|min(?:imum|\\.)?|mindestens|ab) '
const [BETWEEN, AND] = ['(?:between|zwischen|von|from) ', '(?: (?:and|und)|\\s*(?:to|bis|-)) ?']
/** A plus sign ends no word, so what follows it is not looked at. */
const BETTER =
  '\\s*(?:\\+|(?:(?:or|and) (?:better|up|higher)|oder besser|und besser)(?![\\p{L}\\d]))'

/** All values from the first of some to the last of them. */
function span(scale: readonly string[], ...values: string[]): string[] {
  const places = values.map((value) => scale.indexOf(value)).filter((at) => at >= 0)
  if (places.length === 0) return []
  return scale.slice(Math.min(...places), Math.max(...places) + 1)
}

const CLARITY =
  '(?:internally )?flawless|lupenrein(?:e[rsn]?)?|fl|if|vvs[12]?|vs[12]?|si[12]?|i[123]'

/** The grades that a word stands for: `VS` is VS1 and VS2. */
function claritiesOf(word: string): string[] {
  const plain = word.toUpperCase()
  if (plain === 'FLAWLESS') return ['FL']
  if (plain === 'INTERNALLY FLAWLESS' || plain.startsWith('LUPENREIN')) return ['IF']
  return CLARITIES.filter((each) => each === plain || each.replace(/\d$/, '') === plain)
}

function clarity(query: SearchQuery, ...words: string[]): boolean {
  return choose(query, 'clarity', span(CLARITIES, ...words.flatMap(claritiesOf)))
}

export const CLARITY_RULES: readonly Rule[] = [
  rule('(vvs|vs|si|i)1\\s*[-/]\\s*2', (query, [, name]) => {
    return clarity(query, `${name}1`, `${name}2`)
  }),
  rule(`${BETWEEN}(${CLARITY})${AND}(${CLARITY})`, (query, [, from, to]) =>
    clarity(query, from, to),
  ),
  rule(`${LEAST}(${CLARITY})`, (query, [, from]) => clarity(query, 'FL', from)),
  rule(`(${CLARITY})${TO}(${CLARITY})`, (query, [, from, to]) => clarity(query, from, to)),
  [new RegExp(`(${CLARITY})${BETTER}`, 'iuy'), (query, [, from]) => clarity(query, 'FL', from)],
  rule(CLARITY, (query, [word]) => clarity(query, word)),
]

function color(query: SearchQuery, from: string, to: string): boolean {
  return choose(query, 'color', span(COLORS, from.toUpperCase(), to.toUpperCase()))
}

/** Letters that follow each other on the scale: `DEF`, `GH`. */
const COLOR_ROWS = COLORS.slice(0, 10).flatMap((_, from, scale) =>
  [2, 3, 4].map((length) => scale.slice(from, from + length).join('')),
)

export const COLOR_RULES: readonly Rule[] = [
  rule(`${BETWEEN}([d-z])${AND}([d-z])`, (query, [, from, to]) => color(query, from, to)),
  rule(`${LEAST}([d-z])`, (query, [, grade]) => color(query, 'D', grade)),
  rule(`([d-z])${TO}([d-z])`, (query, [, from, to]) => color(query, from, to)),
  [new RegExp(`([d-z])${BETTER}`, 'iuy'), (query, [, grade]) => color(query, 'D', grade)],
  [
    new RegExp(`(${COLOR_ROWS.filter((row) => row.length > 1).join('|')})(?![\\p{L}\\d])`, 'uy'),
    (query, [, row]) => color(query, row.charAt(0), row.charAt(row.length - 1)),
  ],
  // Small letters below M are more often a slip than a color.
  [/([D-Zd-m])(?![\p{L}\d'’])/uy, (query, [, grade]) => color(query, grade, grade)],
]

const SCALE = GRADE_WORDS.map(([grade]) => grade)
const FACET = '(cut|make|schliff|pol(?:ish|itur)?|sym(?:metry|metrie)?)'

/** A grade of cut, polish or symmetry, or that and everything better. */
function grade(query: SearchQuery, facet: string, value: string, better: string | undefined) {
  const isCut = !/^(pol|sym)/i.test(facet)
  // Polish and symmetry have no grade above excellent.
  const scale = isCut ? SCALE : SCALE.slice(1)
  const at = scale.indexOf(value)
  if (at < 0) return false
  const name = isCut ? 'cut_grade' : /^pol/i.test(facet) ? 'polish_grade' : 'symmetry_grade'
  return choose(query, name, better === undefined ? [value] : scale.slice(0, at + 1))
}

function excellentFinish(query: SearchQuery): boolean {
  choose(query, 'polish_grade', ['EX'])
  return choose(query, 'symmetry_grade', ['EX'])
}

/** A plus sign is not followed by the end of a word, so these patterns end for themselves. */
function gradeRule(pattern: string, take: Rule[1]): Rule {
  return [new RegExp(`${pattern}(?:(?<=\\+)|(?![\\p{L}\\d]))`, 'iuy'), take]
}

export const GRADE_RULES: readonly Rule[] = [
  rule('(?:3|triple|tripple|dreifach)[\\s-]*(?:ex|excellent|exzellent|x)|xxx', (query) => {
    choose(query, 'cut_grade', ['IDL', 'EX'])
    return excellentFinish(query)
  }),
  rule('(?:2|double|doppelt)[\\s-]*(?:ex|excellent|exzellent|x)', excellentFinish),
  ...GRADE_WORDS.flatMap(([value, words, codes]) => [
    // A single letter is a grade only after its name: elsewhere it is a color.
    gradeRule(`${FACET}:? (?:${words}|${codes})(${BETTER})?`, (query, [, facet, better]) =>
      grade(query, facet, value, better),
    ),
    gradeRule(`(?:${words})(${BETTER})? ${FACET}`, (query, [, better, facet]) =>
      grade(query, facet, value, better),
    ),
  ]),
  // `good` alone does not say what is good.
  ...GRADE_WORDS.slice(0, 3).map(([value, words]) =>
    gradeRule(`(?:${words})(${BETTER})?`, (query, [, better]) =>
      grade(query, 'cut', value, better),
    ),
  ),
]
