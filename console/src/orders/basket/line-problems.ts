import type { ApiProblem } from '../../api/client.ts'
import { isTranslated, language, t } from '../../language/language.ts'
import { problemText } from '../../language/problem-text.ts'

/** What the server says about an item after its SKU, and the same as a text of ours. */
const MESSAGES: [RegExp, string][] = [
  [/ is sold(, by another offer of the same stone)?$/, t('is sold')],
  [/ is out on memo(, by another offer of the same stone)?$/, t('is out on memo')],
  [/ is not on sale$/, t('is not on sale')],
  [/ is out of stock$/, t('is out of stock')],
  [/ is held by another merchant$/, t('is held by another merchant')],
  [/ is not offered on memo$/, t('is not offered on memo')],
  [/ is the same stone as /, t('is the same stone as another item')],
  [/ is a single stone; /, t('is a single stone, of which there is only one')],
  [/ is (a parcel|a piece of jewelry); /, t('cannot be held; only single stones can')],
  [/ is not known$/, t('is not known')],
]

/** Why an item cannot be ordered, as it follows its SKU. */
export function lineProblem(problem: ApiProblem, message: string, sku: string): string {
  const said = message.startsWith(`${sku} `) ? message.slice(sku.length + 1) : message
  // The server's own sentence is in English, and says most.
  if (language === 'en') return said
  const short = / is short: (\d+) in stock, (\d+) were asked for$/.exec(message)
  if (short) return t('has {left} in stock, {asked} were asked for', countsOf(short))
  const known = MESSAGES.find(([pattern]) => pattern.test(message))
  if (known) return known[1]
  return isTranslated(`problem: ${problem.code}`) ? problemText(problem) : said
}

function countsOf([, left, asked]: string[]): { left: string; asked: string } {
  return { left, asked }
}
