import { loadLanguage } from './language/language.ts'

// The pages are loaded after the language, because their modules contain texts.
await loadLanguage()
await import('./start.tsx')
