import type { Page } from 'playwright-core'
import { GERMAN } from '../../console/src/language/german/index.ts'
import { COUNTRY_CODES } from '../../src/reference/countries.ts'

/**
 * Words that English sentences have and German ones do not. "in", "an", "was", "die" and others are
 * words of both.
 */
const ENGLISH =
  /\b(the|of|and|or|is|are|were|with|your|you|this|that|these|not|no|from|to|by|for|has|have|all|any|each|what|when|which|more|than|ago|until|since)\b/i

/** Whether a text has no English word that German does not have. */
export function plain(text: string): boolean {
  return !ENGLISH.test(text)
}

const wordsIn = (text: string) => text.toLowerCase().match(/\p{L}{4,}/gu) ?? []

const countriesIn = (locale: string) => {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return COUNTRY_CODES.map((code) => names.of(code) ?? '')
}

/** Words of the texts that are translated, and of countries, as far as German has no such word. */
const ENGLISH_WORDS: ReadonlySet<string> = (() => {
  const german = new Set([...GERMAN.values(), ...countriesIn('de')].flatMap(wordsIn))
  const english = [...GERMAN.keys(), ...countriesIn('en')].flatMap((text) =>
    // Names of values, which are never shown.
    /^(problem|field): /.test(text) ? [] : wordsIn(text.replaceAll(/\{\w+\}/g, '')),
  )
  return new Set(english.filter((word) => !german.has(word)))
})()

/**
 * English texts on a page that is shown in German: those that the dictionary would translate, and
 * those with English words. What is marked with another language, such as a seller's description,
 * is left out, as are code and what people typed. With the names of a market, which may be English,
 * single words are found as well: a country, a kind of chain.
 */
export async function untranslatedOn(page: Page, names?: readonly string[]): Promise<string[]> {
  const texts = await page.evaluate<string[]>(`(() => {
    const texts = []
    const isForeign = (element) =>
      element.closest('[lang]:not(html)') || element.closest('code, pre, .mono, script, style, noscript')
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode
      if (parentElement && !isForeign(parentElement)) texts.push(textContent)
    }
    for (const element of document.body.querySelectorAll('*')) {
      if (isForeign(element)) continue
      for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'aria-valuetext']) {
        const text = element.getAttribute(name)
        if (text) texts.push(text)
      }
    }
    if (!document.querySelector('main h1[lang]')) texts.push(document.title)
    return texts.map((text) => text.trim().replaceAll(/\\s+/g, ' ')).filter(Boolean)
  })()`)
  const isLeft = (text: string) =>
    !plain(text) ||
    (names && hasEnglishWord(withoutNames(text, names))) ||
    (GERMAN.has(text) && GERMAN.get(text) !== text && !isGermanToo(text))
  return [...new Set(texts.filter(isLeft))]
}

export function hasEnglishWord(text: string): boolean {
  return wordsIn(text).some((word) => ENGLISH_WORDS.has(word))
}

function withoutNames(text: string, names: readonly string[]): string {
  // Addresses, names of files, and JSON.
  const noWords = /\S+@\S+|https?:\S+|\S+\.csv\b|\{".*\}/g
  return names.reduce((rest, name) => rest.replaceAll(name, ''), text.replaceAll(noWords, ''))
}

/** What a page marks as English: only goods have titles and stories that nobody translates. */
export async function markedEnglishOn(page: Page): Promise<string[]> {
  const texts = await page.locator('main [lang="en"]').allInnerTexts()
  return [...new Set(texts.filter(Boolean))]
}

/** A word that is the German for something else, such as "Name" or "Status". */
function isGermanToo(text: string): boolean {
  return [...GERMAN.values()].includes(text)
}
