import type { ApiProblem } from '../api/client.ts'
import { language, t } from '../language/language.ts'
import { ProblemNote } from '../parts/feedback.tsx'

/** Refusals that a person can decide, by an option of the form. */
const BRAKES = new Set([
  'import_unsure',
  'too_many_removed',
  'too_many_jumps',
  'wrong_price_level',
  'reading_changed',
])

/** Why a file was refused, what to do about it, and the server's own words about the file. */
export function ImportRefusal({ problem }: { problem: ApiProblem | undefined }) {
  if (!problem) return null
  return (
    <>
      <ProblemNote problem={problem} />
      {BRAKES.has(problem.code) && (
        <p class="note is-warn">
          {t('Nothing was changed. Decide it in the form above, then check the file again.')}
        </p>
      )}
      {language !== 'en' && (
        <p class="small muted" lang="en">
          {problem.message}
        </p>
      )}
    </>
  )
}
