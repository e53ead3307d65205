import type { ApiProblem } from '../api/client.ts'
import { fieldMessage } from '../language/problem-text.ts'
import { capitalize, humanize } from '../lib/format.ts'

/** The errors of a problem that a field shows, so that the note below the form leaves them out. */
const shownAtFields = new WeakMap<ApiProblem, Set<string>>()

/** The server's message about a field as a sentence: `Email must match format "email".` */
export function errorAt(problem: ApiProblem | undefined, name: string | undefined, label: string) {
  const error = problem?.errors.find(({ field }) => field === name)
  if (!problem || !error) return undefined
  const shown = shownAtFields.get(problem) ?? new Set()
  shownAtFields.set(problem, shown.add(error.field))
  return sentence(label, error.message)
}

/** The errors that no field shows, as sentences. */
export function otherErrors(problem: ApiProblem): string[] {
  const shown = shownAtFields.get(problem)
  return problem.errors
    .filter(({ field }) => !shown?.has(field))
    .map(({ field, message }) => sentence(nameOf(field), message))
}

/** `line_items[1].quantity` as `quantity`, which is what a person filled in. */
function nameOf(field: string): string {
  return humanize(
    field
      .split('.')
      .at(-1)
      ?.replaceAll(/\[\d+\]/g, '') || field,
  )
}

function sentence(label: string, message: string): string {
  const name = label.replace(/\s*[(,].*$/, '')
  const own = fieldMessage(message)
  const text = /^[a-z]/.test(message) ? `${name} ${own}` : own
  return /[.!?…]$/.test(text) ? capitalize(text) : `${capitalize(text)}.`
}
