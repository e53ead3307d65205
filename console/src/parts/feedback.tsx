import type { ComponentChildren } from 'preact'
import type { ApiProblem } from '../api/client.ts'
import { t } from '../language/language.ts'
import { problemText } from '../language/problem-text.ts'
import { otherErrors } from './field-errors.ts'

/** What went wrong, in the server's own words, with a button to try again. */
export function ProblemNote(props: { problem: ApiProblem | undefined; onRetry?: () => void }) {
  const { problem, onRetry } = props
  if (!problem) return null
  const others = otherErrors(problem)
  const isAtFields = problem.errors.length > 0 && others.length === 0
  return (
    <div class="note is-bad" role="alert">
      <p>{isAtFields ? t('Please correct the marked fields.') : problemText(problem)}</p>
      {others.length > 0 && !others.includes(problem.message) && (
        <ul class="small">
          {others.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {onRetry && (
        <button type="button" class="button is-small" onClick={onRetry}>
          {t('Try again')}
        </button>
      )}
    </div>
  )
}

/** Shown in place of a page that could not be loaded. */
export function PageProblem(props: { problem: ApiProblem; onRetry: () => void }) {
  return (
    <>
      <div class="page-head">
        <h1>{t('Something went wrong')}</h1>
      </div>
      <ProblemNote {...props} />
    </>
  )
}

export function Empty(props: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{props.title}</h2>
      {props.children}
    </div>
  )
}

/** Gray placeholders for rows that are being loaded. */
export function Loading({ rows = 5, height = 40 }: { rows?: number; height?: number }) {
  return (
    <div class="stack" role="status" aria-label={t('Loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} class="skeleton" style={{ height: `${height}px` }} />
      ))}
    </div>
  )
}

export function Spinner() {
  return <span class="spinner" role="img" aria-label={t('Working')} />
}
