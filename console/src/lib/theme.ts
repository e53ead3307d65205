import { createPersistentStore } from './store.ts'

export type Theme = 'light' | 'dark' | 'auto'

/** Light, dark, or as the system has it. Not secret, so it may stay for the next visit. */
export const theme = createPersistentStore<Theme>(window.localStorage, 'pavilion-theme', 'auto')

export function startTheme(): void {
  const apply = () => {
    const chosen = theme.get()
    if (chosen === 'auto') document.documentElement.removeAttribute('data-theme')
    else document.documentElement.dataset.theme = chosen
  }
  apply()
  theme.subscribe(apply)
}

export function nextTheme(): void {
  const order: Theme[] = ['auto', 'light', 'dark']
  theme.set(order[(order.indexOf(theme.get()) + 1) % order.length])
}
