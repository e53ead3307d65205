import { createPersistentStore } from './store.ts'

type Theme = 'light' | 'dark' | 'auto'

/** Light, dark, or the system's setting. It is not secret, so localStorage may keep it. */
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
