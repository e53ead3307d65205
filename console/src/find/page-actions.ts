import { useEffect, useRef } from 'preact/hooks'
import { createStore } from '../lib/store.ts'

/** Something that the page on the screen can do, for the command palette. */
export interface PageAction {
  label: string
  /** The key that does the same. */
  key?: string
  run: () => void
}

export const pageActions = createStore<readonly PageAction[]>([])

/** Offers actions as long as a component is on the screen. They run what it last drew. */
export function usePageActions(actions: readonly PageAction[]): void {
  const latest = useRef(actions)
  latest.current = actions
  const labels = actions.map(({ label }) => label).join()
  useEffect(() => {
    const own = latest.current.map((action, index) => ({
      ...action,
      run: () => latest.current[index]?.run(),
    }))
    pageActions.set([...pageActions.get(), ...own])
    return () => pageActions.set(pageActions.get().filter((action) => !own.includes(action)))
  }, [labels])
}
