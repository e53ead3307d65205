import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { useUnsaved } from '../lib/unsaved.ts'

/** A modal dialog. The browser keeps the focus in it and returns it afterwards. */
export function Dialog(props: {
  title: string
  class?: string
  onClose: () => void
  /** Whether it stays until its button is pressed, because what it shows is shown only once. */
  isKept?: boolean
  children: ComponentChildren
}) {
  const { title, onClose, children } = props
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useId()
  // Back would take away what is shown only once: it asks first.
  useUnsaved(props.isKept === true)
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    if (dialog && !dialog.open) dialog.showModal()
    // A dialog that is taken away instead of closed would leave the focus nowhere.
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class={props.class}
      aria-labelledby={heading}
      // A second Esc closes a dialog whose first one was only prevented.
      closedby={props.isKept ? 'none' : 'closerequest'}
      onCancel={(event) => props.isKept && event.preventDefault()}
      onClose={onClose}
    >
      <div class="dialog-body">
        <h2 id={heading}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
