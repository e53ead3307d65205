/** Hyperlinks of cells: which addresses are links, and which shown texts only point at them. */

/** Excel's own limit is 2,083 characters. */
const LINK_CHARS_MAX = 2_083

/** Returns the address when it is one of the web; links to mail, files and cells are not. */
export function webLink(address: string): string | undefined {
  const link = address.trim()
  return /^https?:\/\//i.test(link) && link.length <= LINK_CHARS_MAX ? link : undefined
}

const LINK_WORDS = new Set(
  `view certificate cert certi certificates video videos movie image images img photo photos
  picture pic link links click here open pdf see watch download show play report diamond stone to
  the for a of 360 3d hd v360 url web website page file dna detail details more online live online
  loupe viewer now get visit verify`.split(/\s+/),
)

/** Whether a shown text says nothing but that there is a link: `View`, `Certificate`, a URL. */
export function isLinkText(text: string): boolean {
  const shown = text.trim().toLowerCase()
  if (shown === '' || /^(https?:\/\/|www\.)/.test(shown)) return true
  if (shown.length > 60) return false
  const words = shown.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return words.every((word) => LINK_WORDS.has(word))
}

const HYPERLINK =
  /^\s*(?:[=+@]\s*)?HYPERLINK\(\s*"((?:[^"]|"")*)"\s*(?:[,;]\s*"((?:[^"]|"")*)"\s*)?\)/i

/** Reads the formula `=HYPERLINK("https://…","View")`; only plain texts are understood. */
export function readHyperlinkFormula(formula: string): { link: string; text: string } | undefined {
  if (formula.length > 2 * LINK_CHARS_MAX) return undefined
  const match = HYPERLINK.exec(formula)
  const link = match ? webLink(match[1].replaceAll('""', '"')) : undefined
  if (!match || link === undefined) return undefined
  return { link, text: (match[2] ?? '').replaceAll('""', '"') }
}
