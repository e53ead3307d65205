import { useEffect } from 'preact/hooks'

/** Forms with changes that were not saved. */
const open = new Set<object>()

export function hasUnsaved(): boolean {
  return open.size > 0
}

export function forgetUnsaved(): void {
  open.clear()
}

/** While a form is changed, leaving its page asks first. */
export function useUnsaved(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return
    const form = {}
    open.add(form)
    return () => {
      open.delete(form)
    }
  }, [isChanged])
}

/** The browser itself asks before a reload and before the tab is closed. */
export function watchUnload(): void {
  window.addEventListener('beforeunload', (event) => {
    if (hasUnsaved()) event.preventDefault()
  })
}
