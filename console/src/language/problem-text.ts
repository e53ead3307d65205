import type { PavilionError } from '../../../client/src/errors.ts'
import { isTranslated, t } from './language.ts'

/**
 * What went wrong, as a sentence. The server's own sentence is in English and says most; in another
 * language there is a text for the sentence where the reasons of a code differ much, and otherwise
 * for the code.
 */
export function problemText(problem: PavilionError): string {
  const keys = [`problem: ${problem.message}`, `problem: ${problem.code}`]
  const known = keys.find(isTranslated)
  return known === undefined ? problem.message : t(known)
}

/** What the server says about a field, with the number or text that it names. */
const FIELD_MESSAGES: [RegExp, string][] = [
  [/^must be at least (.+)$/, 'must be at least {value}'],
  [/^must be above (.+)$/, 'must be above {value}'],
  [/^must be at most (.+)$/, 'must be at most {value}'],
  [/^must be below (.+)$/, 'must be below {value}'],
  [/^must have at least (\d+) characters?$/, 'must have at least {value} characters'],
  [/^must have at most (\d+) characters?$/, 'must have at most {value} characters'],
  [/^must be one of (.+)$/, 'must be one of {value}'],
]

/** A message about a field, which follows the name of the field unless it is a sentence. */
export function fieldMessage(message: string): string {
  for (const [pattern, text] of FIELD_MESSAGES) {
    const value = pattern.exec(message)?.[1]
    if (value !== undefined && isTranslated(text)) return t(text, { value })
  }
  return t(message)
}
