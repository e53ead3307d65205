import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { ApiProblem } from '../api/client.ts'
import { numberIn, numberText } from '../lib/numbers.ts'
import { go, useLocation, withParams } from '../lib/router.ts'
import { errorAt } from './field-errors.ts'

interface TextFieldProps {
  label: string
  value: string
  onInput: (value: string) => void
  /** The name of the field in the request, to show the server's message about it. */
  name?: string
  problem?: ApiProblem | undefined
  type?: string
  placeholder?: string
  required?: boolean
  inputMode?: 'decimal' | 'numeric'
  autocomplete?: string
}

export function TextField(props: TextFieldProps) {
  const { label, value, onInput, name, problem, ...rest } = props
  const note = useId()
  // What was wrong is no longer said once it is changed.
  const refused = useRef({ problem, value })
  if (refused.current.problem !== problem) refused.current = { problem, value }
  const found = errorAt(problem, name, label)
  const error = refused.current.value === value ? found : undefined
  return (
    <div class="field">
      <label class="field">
        <span>{label}</span>
        <input
          {...(rest as Record<string, unknown>)}
          class="input"
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

export function SelectField<T extends string>(props: {
  label: string
  value: T
  options: readonly (readonly [value: T, label: string])[]
  onChange: (value: T) => void
  hideLabel?: boolean
}) {
  return (
    <label class="field">
      <span class={props.hideLabel ? 'visually-hidden' : undefined}>{props.label}</span>
      <select
        class="input"
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value as T)}
      >
        {props.options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}

export function Checkbox(props: {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ComponentChildren
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <span>{props.children}</span>
    </label>
  )
}

/** A number that is kept in the address. */
export function BoundField({ name, label }: { name: string; label: string }) {
  const { params } = useLocation()
  const value = Number(params.get(name)) || undefined
  const [text, setText] = useState(numberText(value))
  useEffect(() => setText(numberText(value)), [value])
  const typed = text.trim() === '' ? undefined : numberIn(text)
  const isWrong = typed !== undefined && !(typed >= 0)
  const commit = () => {
    if (isWrong) return
    go(withParams({ [name]: typed === undefined ? undefined : String(typed), offset: undefined }))
  }
  return (
    <label class="field">
      <span>{label}</span>
      <input
        class="input"
        inputMode="decimal"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        aria-invalid={isWrong ? 'true' : undefined}
        onChange={commit}
      />
    </label>
  )
}
