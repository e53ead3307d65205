import { useId } from 'preact/hooks'
import type { ApiProblem } from '../api/client.ts'
import { errorAt } from './field-errors.ts'

/** A text of several lines, with the server's message about it below. */
export function TextArea(props: {
  label: string
  value: string
  onInput: (value: string) => void
  /** The name of the field in the request. */
  name?: string
  problem?: ApiProblem | undefined
  /** What is wrong with it before it is sent. */
  error?: string | undefined
  rows?: number
  placeholder?: string
  isCode?: boolean
}) {
  const { label, value, onInput, name, problem, rows = 4, placeholder, isCode } = props
  const note = useId()
  const error = props.error ?? errorAt(problem, name, label)
  return (
    <div class="field">
      <label class="field">
        <span>{label}</span>
        <textarea
          class={isCode ? 'input mono' : 'input'}
          rows={rows}
          placeholder={placeholder}
          spellcheck={!isCode}
          value={value}
          aria-invalid={error ? 'true' : undefined}
          aria-describedby={error ? note : undefined}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </label>
      {error && (
        <span id={note} class="field-error">
          {error}
        </span>
      )}
    </div>
  )
}
