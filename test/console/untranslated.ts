import type { Page } from 'playwright-core'
import { GERMAN } from '../../console/src/language/german/index.ts'

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

/**
 * English texts on a page that is shown in German: those that the dictionary would translate, and
 * those with English words. What is marked with another language, such as a seller's description,
 * is left out, as are code and what people typed.
 */
export async function untranslatedOn(page: Page): Promise<string[]> {
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
    !plain(text) || (GERMAN.has(text) && GERMAN.get(text) !== text && !isGermanToo(text))
  return [...new Set(texts.filter(isLeft))]
}

/** A word that is the German for something else, such as "Name" or "Status". */
function isGermanToo(text: string): boolean {
  return [...GERMAN.values()].includes(text)
}
