/** Reads cells that hold an address, or a JSON object. */

const URL_CHARS_MAX = 2_048

/** Returns a link that a browser can open, the first of several; undefined for a file name. */
export function readUrl(text: string): string | undefined {
  const trimmed = text.startsWith('<') ? linkInTag(text) : firstLink(text.trim())
  const isBare = /^(?:\/\/|www\.)/i.test(trimmed)
  const url = isBare ? `https://${trimmed.replace(/^\/\//, '')}` : trimmed
  if (!/^https?:\/\/[^\s/][^\s/.]*\.[^\s]+$/i.test(url) || url.length > URL_CHARS_MAX)
    return undefined
  return url
}

/** `<a href="https://a.example/1">View</a>` and `<img src=…>`, as exports of shops have them. */
function linkInTag(text: string): string {
  return TAG.exec(text)?.[1] ?? ''
}

const TAG =
  /^<(?:a|img|iframe|video|source)\s[^<>]{0,500}?\b(?:href|src)\s{0,3}=\s{0,3}["']?([^"'\s<>]+)/i

/** `https://a.example/1.jpg; https://a.example/2.jpg`: several addresses in one cell. */
function firstLink(text: string): string {
  // Almost every cell has one: only a second `://` is worth a regular expression.
  const isOne = !text.includes('://', 'https://'.length)
  const next = isOne ? -1 : text.search(/[\s;,|]https?:\/\//i)
  let end = next === -1 ? text.length : next
  while (end > 0 && SEPARATORS.includes(text[end - 1])) end--
  return text.slice(0, end)
}

const SEPARATORS = ';,| \t\r\n'

/** More than any supplier says about one stone. */
const DETAILS_CHARS_MAX = 4_000
/** What PostgreSQL does not store in JSON: NUL, and halves of a character. */
const UNSTORABLE = /\\u(0000|d[89a-f][0-9a-f]{2})/i

/** Reads a cell that holds a JSON object, as JSON; undefined when it holds anything else. */
export function readDetails(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const json = JSON.stringify(JSON.parse(text))
    return json.length > DETAILS_CHARS_MAX || UNSTORABLE.test(json) ? undefined : json
  } catch {
    return undefined
  }
}

/** Reads details, or takes words as one detail. */
export function readDetailsOrWords(text: string): string | undefined {
  if (text.startsWith('{')) return readDetails(text)
  return readDetails(JSON.stringify({ description: text }))
}
