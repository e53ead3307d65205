import { isTranslated, t } from '../language/language.ts'
import { fieldName } from '../lib/field-name.ts'
import { humanize } from '../lib/format.ts'

/**
 * What an import says about rows and columns. The server writes it in English, from this closed
 * list and sentences without a value: in another language their dictionary has them by the name
 * `reason: …`. What is in neither is shown as the server wrote it.
 */
const TEMPLATES = [
  'Row {row} already has this stock number',
  'Row {row} takes this stone off the market',
  'The price is about {times} times higher than for similar stones',
  'The price is about {times} times lower than for similar stones',
  '{share}, and the row was dismissed',
  'The fancy color contradicts the color {value}',
  'A fancy color contradicts the color {value}',
  'This looks lab grown, but {value}',
  'The total price contradicts the price per carat of {value}',
  'There is no exchange rate for {value}',
  'The price is in {value}, the column says {other}',
  'The price is in dollars, but its currency is {value}',
  'The measurements are impossible for {value} carats',
  'The row has {cells} cells, others have {usual}, and its values do not fit',
  'The shape may be {value}',
  'The code {code} means {word}, which the measurements contradict',
  'The code may mean {word} or {word2}, and the measurements do not tell which',
  'The code may mean {word} or {word2}, and there are no measurements',
  '{value} is not sold here',
  'The {field} is missing',
  'The {field} has more than {value} characters',
  'The row is of type {value}, which is not a piece to sell',
  'every stone has {value}, as the mapping says',
  'the name means {field}; the column first appears after the sampled rows',
  'the name means {field}, but only {share} fit',
  'the name means {field}, which {column} already is',
  'the name means {field}; the column is empty',
  'the name means {field}, and {share} fit',
  'the name is unknown, but the values look like {field}',
  'less the discount it is the price of the whole stone in {value} of {other} rows',
  'the names are swapped: proved by {share}',
  'proved by {share}',
  'does not agree with {value}, which is used as the price',
  'a price per carat x weight agrees in {value} of {other} rows',
  'price x weight agrees in {value} of {other} rows',
  'a price per carat x weight agrees in {value} of {other} rows with {column}',
  'price x weight agrees in {value} of {other} rows with {column}',
  'the name means {word}, but {share}',
  '{share}, and they are lab grown',
  '{share}, at the level of mined stones',
  'the prices of {value} stones grow with weight to the power of {other}',
  'the names are swapped: the sides give this depth in {value} of {other} rows',
  'is the currency of {column}, which is not used',
  '{value} of {other} values',
  '{value}% of the values',
]

interface Template {
  text: string
  names: string[]
  pattern: RegExp
}

const PATTERNS = TEMPLATES.map((text): Template => {
  const parts = text.split(/(\{\w+\})/)
  const names = parts.filter((part) => part.startsWith('{')).map((part) => part.slice(1, -1))
  const source = parts.map((part) => (part.startsWith('{') ? '(.+?)' : escaped(part))).join('')
  return { text, names, pattern: new RegExp(`^${source}$`) }
})

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** The text in the reader's language; undefined when there is none. */
function translated(text: string): string | undefined {
  const key = `reason: ${text}`
  if (isTranslated(key)) return t(key)
  for (const { text: template, names, pattern } of PATTERNS) {
    const found = pattern.exec(text)
    const name = `reason: ${template}`
    if (!found || !isTranslated(name)) continue
    const values = names.map((each, at) => [each, shownPart(each, found[at + 1])] as const)
    return t(name, Object.fromEntries(values))
  }
  return undefined
}

function shownPart(name: string, value: string): string {
  if (name === 'field') return fieldName(value.replaceAll(' ', '_'))
  if (name.startsWith('word')) return humanize(value)
  return name === 'share' ? (translated(value) ?? value) : value
}

/** Why a row was rejected, or a column mapped. */
export function ReasonText({ text }: { text: string }) {
  const own = translated(text)
  return <span {...(own === undefined && { lang: 'en' })}>{own ?? text}</span>
}

/** The same for a file. */
export function reasonIn(text: string): string {
  return translated(text) ?? text
}
