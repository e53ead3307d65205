import { useEffect, useRef, useState } from 'preact/hooks'
import type { Session } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { useLocation } from '../lib/router.ts'
import { runSearch } from './run-search.ts'

const HINTS = {
  merchant: t('SKU, certificate, or 2 ct oval F VS1 under 9,000'),
  operator: t('SKU, stock number, certificate or order'),
  supplier: t('Stock number, SKU or certificate'),
}

/** The search box of every page. The key `/` leads to it. */
export function SearchBox({ role }: { role: Session['role'] }) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const { path, params } = useLocation()
  // What was searched is on the page that it led to, where it can be changed.
  useEffect(() => setText(''), [path, params])
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])
  const submit = (event: Event) => {
    event.preventDefault()
    input.current?.blur()
    runSearch(role, text)
    // Another page gets the focus at its heading; on this one it goes to what was found.
    document.getElementById('results')?.focus()
  }
  /** A field of one line would join the lines of a pasted list. */
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData('text') ?? ''
    if (!/[\n\t]/.test(pasted)) return
    event.preventDefault()
    const { selectionStart, selectionEnd } = event.currentTarget as HTMLInputElement
    const list = pasted.trim().replaceAll(/\s*[\n\t]+\s*/g, ', ')
    setText(text.slice(0, selectionStart ?? 0) + list + text.slice(selectionEnd ?? text.length))
  }
  return (
    <search class="find">
      <form onSubmit={submit}>
        <input
          ref={input}
          class="input"
          type="search"
          aria-label={t('Search')}
          aria-keyshortcuts="/"
          placeholder={HINTS[role]}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onPaste={paste}
        />
        <span class="find-key" aria-hidden="true">
          /
        </span>
      </form>
    </search>
  )
}

/** Whether a key belongs to a field that has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement)
    return !/^(checkbox|radio|range|button)$/.test(target.type)
  return /^(TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable
}
