import { CUT_CODES } from '../../../src/reference/attributes.ts'
import { isTranslated, language, t } from '../language/language.ts'
import { carats, humanize } from '../lib/format.ts'

/** What a line of an order, quote, memo or return says of its goods. */
export interface NamedGoods {
  name?: string | undefined
  description?: string | undefined
  product_type?: string
}

/** What was ordered, in words that a colleague would use. */
export function Goods({ line }: { line: NamedGoods }) {
  const { text, lang } = goodsName(line)
  return <span lang={lang}>{text}</span>
}

/**
 * Stones by their description, which the name (`Gem K7Q2M4X9TB`) does not give; jewelry by its
 * title and options. Both are in English; what the server writes of stones is said in the reader's
 * language.
 */
export function goodsName(line: NamedGoods): { text: string; lang: 'en' | undefined } {
  const { name = '', description = '', product_type } = line
  const isJewelry = product_type === 'jewelry' || product_type === 'watch'
  const english = isJewelry ? name || description : description || name
  if (language === 'en') return { text: english, lang: undefined }
  const own = isJewelry ? undefined : stoneDescription(english)
  return own === undefined ? { text: english, lang: 'en' } : { text: own, lang: undefined }
}

/** `1.52 ct round brilliant cut, lab grown, F VS1, GIA 2201234567`, as orders describe stones. */
const DESCRIPTION = /^(\d+(?:\.\d+)?) ct (pair of )?([^,]+), (mined|lab grown)(?:, (.+))?$/

/** The same in the reader's language; undefined where it is something else. */
function stoneDescription(english: string): string | undefined {
  const [, weight, pair, cut, type, rest] = DESCRIPTION.exec(english) ?? []
  if (weight === undefined) return undefined
  const style = CUT_CODES.map((code) => code.replaceAll('_', ' ')).find((each) =>
    cut.endsWith(` ${each}`),
  )
  const shape = style ? cut.slice(0, -style.length - 1) : cut
  return [
    [carats(Number(weight)), pair && t('pair of stones'), humanize(shape)]
      .filter(Boolean)
      .join(' '),
    style && humanize(style),
    humanize(type),
    ...(rest?.split(', ').map(gradeText) ?? []),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Grades, species, treatments and certificates; words that the dictionary does not know stay. */
function gradeText(grade: string): string {
  const treatment = `treatment: ${grade}`
  if (isTranslated(treatment)) return t(treatment)
  if (isTranslated(grade)) return t(grade)
  return grade
    .split(' ')
    .map((word) => t(word))
    .join(' ')
}
