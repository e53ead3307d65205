import { loadLanguage } from './language/language.ts'

// The pages are loaded after the language, because their modules contain texts. Without awaiting
// it here: the pages may import what the bundler has put beside this module.
void loadLanguage().then(() => import('./start.tsx'))
