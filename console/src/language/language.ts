/**
 * The language of the console. Texts are written in English where they are shown, and another
 * language is a dictionary from those texts: adding one is a folder beside `german/` and a line in
 * `DICTIONARIES`. It is loaded before any page, so `t` also works in constants of modules, and
 * another choice reloads the page.
 */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES
type Dictionary = ReadonlyMap<string, string>

const DICTIONARIES: Partial<Record<Language, () => Promise<Dictionary>>> = {
  de: async () => (await import('./german/index.ts')).GERMAN,
}
/** How numbers and dates are written where the language is not the browser's own. */
const LOCALES: Record<Language, string> = { en: 'en-US', de: 'de-DE' }
const STORED_AS = 'pavilion-language'

/** Pure parts of the console also run outside of a browser, in tests. */
const browserLocales = globalThis.document ? (navigator.languages ?? [navigator.language]) : ['en']

export const language: Language = storedLanguage() ?? browserLanguage() ?? 'en'

/** The locale of numbers, money and dates: the reader's own where it is of the same language. */
export const locale = localeOf(language)

let dictionary: Dictionary = new Map()

/** Must be done before the modules of any page are loaded. */
export async function loadLanguage(): Promise<void> {
  document.documentElement.lang = language
  dictionary = (await DICTIONARIES[language]?.()) ?? dictionary
}

export function chooseLanguage(chosen: Language): void {
  window.localStorage.setItem(STORED_AS, chosen)
  window.location.reload()
}

type Values = Record<string, string | number>

/** A text in the reader's language: `t('Hold {sku}', { sku })`. */
export function t(english: string, values?: Values): string {
  const text = dictionary.get(english) ?? english
  if (!values) return text
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all))
}

/** A text whose meaning depends on where it stands: `tIn('milky', 'Light')`. */
export function tIn(context: string, english: string): string {
  const key = `${context}: ${english}`
  return dictionary.has(key) ? t(key) : t(english)
}

/** Whether the reader's language has a text of its own for this one. */
export function isTranslated(english: string): boolean {
  return dictionary.has(english)
}

/** A text with elements in it: `withElements('Paid on {date}', { date: <b>…</b> })`. */
export function withElements<T>(english: string, elements: Record<string, T>): (string | T)[] {
  return t(english)
    .split(/(\{\w+\})/)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      return name !== undefined && Object.hasOwn(elements, name) ? elements[name] : part
    })
}

function storedLanguage(): Language | undefined {
  const stored = globalThis.document ? window.localStorage.getItem(STORED_AS) : null
  return stored !== null && isLanguage(stored) ? stored : undefined
}

function browserLanguage(): Language | undefined {
  return browserLocales.map(languageOf).find(isLanguage)
}

function localeOf(chosen: Language): string {
  const own = browserLocales.find((each) => languageOf(each) === chosen)
  // A reader of another language, for whom the console is in English, keeps the own numbers.
  const isChosen = storedLanguage() !== undefined
  return own ?? (isChosen ? LOCALES[chosen] : (browserLocales[0] ?? LOCALES[chosen]))
}

function languageOf(each: string): string {
  return each.split('-')[0].toLowerCase()
}

function isLanguage(name: string): name is Language {
  return Object.hasOwn(LANGUAGES, name)
}
