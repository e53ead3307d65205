import { t } from '../language/language.ts'
import { decimal, humanize, percent, plural } from '../lib/format.ts'
import { choiceLabel } from './labels.ts'

/**
 * Why a stone was chosen, in the reader's language. The server writes these sentences in English
 * (src/gems/curation/explain.ts); one that is none of them is undefined, and stays as it is.
 */
export function reasonText(reason: string): string | undefined {
  for (const [pattern, text] of SENTENCES) {
    const match = pattern.exec(reason)
    if (match) return text(match.slice(1))
  }
  return undefined
}

type Sentence = readonly [pattern: RegExp, text: (parts: string[]) => string]

/** The parts of a make as the server names them, and the filter that has their values. */
const PARTS: Readonly<Record<string, readonly [name: string, filter: string]>> = {
  Cut: [t('Cut'), 'cut_grade'],
  Polish: [t('Polish'), 'polish_grade'],
  Symmetry: [t('Symmetry'), 'symmetry_grade'],
  Fluorescence: [t('Fluorescence'), 'fluorescence'],
  'The thick end of the girdle': [t('Girdle, thickest part'), 'girdle_max'],
  'The thin end of the girdle': [t('Girdle, thinnest part'), 'girdle_min'],
  'Depth %': [t('Depth %'), 'depth_percentage'],
  'Table %': [t('Table %'), 'table_percentage'],
}

function makeText([part, value, grade, asked, points]: string[]): string {
  const [name, filter] = PARTS[part] ?? [part, '']
  const show = (text: string) => {
    if (text === 'unknown') return t('unknown')
    return /^[\d.]+$/.test(text) ? number(text) : choiceLabel(filter, text)
  }
  const values = { value: show(value), asked: show(asked) }
  return t('{name}: {value}. {grade} asks for {asked}: −{points}.', {
    name,
    ...values,
    grade: humanize(grade),
    points,
  })
}

const SENTENCES: readonly Sentence[] = [
  [
    /^Its ([\d.]+) ct lie within -([\d.]+) % and \+([\d.]+) % of ([\d.]+) ct(; the window .*)?\.$/,
    ([own, low, high, asked, widened]) => {
      const values = { own: number(own), low, high, asked: number(asked) }
      const text = t('Its {own} ct lie within −{low} % and +{high} % of {asked} ct.', values)
      const reason = t('The window was widened, because nothing nearer was free.')
      return widened === undefined ? text : `${text} ${reason}`
    },
  ],
  [
    /^Color (\w+) and clarity (\w+) are at least (\w+) and (\w+)\.$/,
    ([color, clarity, leastColor, leastClarity]) => {
      const values = { color, clarity, leastColor, leastClarity }
      return t('{color} and {clarity} are at least {leastColor} and {leastClarity}.', values)
    },
  ],
  [/^(.+) is ([\w. ]+), ([\w ]+) asks for ([\w. ]+): -(\d+)\.$/, makeText],
  [
    /^It is made as ([\w ]+) asks for its shape\.$/,
    ([grade]) => t('It is made as {grade} asks for its shape.', { grade: humanize(grade) }),
  ],
  [
    /^It differs from its partner by (.+) % in .+, (.+) % in .+, (.+) % in .+, (\d+) .+ (\d+) .+$/,
    ([weight, length, width, color, clarity]) => {
      const differences = [
        t('weight {percent}', { percent: percentOf(weight) }),
        t('length {percent}', { percent: percentOf(length) }),
        t('width {percent}', { percent: percentOf(width) }),
        t('color {grades}', { grades: plural(Number(color), 'grade') }),
        t('clarity {grades}', { grades: plural(Number(clarity), 'grade') }),
      ]
      return t('Difference from its partner: {list}.', { list: differences.join(', ') })
    },
  ],
  [/^No stone of a make as good costs less\.$/, () => t('No stone of a make as good costs less.')],
]

function number(text: string): string {
  return decimal(Number(text), 4)
}

function percentOf(text: string): string {
  return percent(Number(text), 2)
}
