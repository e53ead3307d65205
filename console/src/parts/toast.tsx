import { createStore, useStore } from '../lib/store.ts'

const SHOWN_MS = 5_000
const toasts = createStore<{ id: number; text: string }[]>([])
let nextId = 1

/** Confirms for a few seconds that something was done. */
export function showToast(text: string): void {
  const id = nextId++
  toasts.set([...toasts.get(), { id, text }])
  setTimeout(() => toasts.set(toasts.get().filter((toast) => toast.id !== id)), SHOWN_MS)
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {useStore(toasts).map(({ id, text }) => (
        <div key={id} class="toast">
          {text}
        </div>
      ))}
    </div>
  )
}
