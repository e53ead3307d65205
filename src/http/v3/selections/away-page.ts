import type { RequestHead } from '../../overload/request-head.ts'
import { awayPage, type HtmlPage } from './share-html.ts'
import { SHARE_PAGES } from './share-page.ts'
import { ALL_TEXTS, textsFor } from './share-texts.ts'

/** Written once, since there may be thousands of refusals a second. */
const PAGES = new Map(ALL_TEXTS.map((texts) => [texts, awayPage(texts)]))

/**
 * What a person sees whose page is refused: that of a share, or another one that a browser opens.
 * Undefined for every other call, which gets a problem document.
 */
export function findAwayPage({ method, url = '', headers }: RequestHead): HtmlPage | undefined {
  if (method !== 'GET') return undefined
  const isOpened = headers.accept?.includes('text/html') && !url.startsWith('/api/')
  if (!isOpened && !SHARE_PAGES.test(url)) return undefined
  return PAGES.get(textsFor(headers['accept-language']))
}
