/** A tolerant reader of HTML, piece by piece: pages of this kind are seldom well-formed. */

interface TagListener {
  onOpen: (name: string, attribute: (name: string) => string) => void
  onClose: (name: string) => void
  /** The text as it is written, with its entities. */
  onText: (text: string) => void
}

/** What looks like a longer tag is a stray `<`. */
const TAG_CHARS_MAX = 16_384
/** Elements whose content is not shown. */
const HIDDEN = new Set(['script', 'style', 'title', 'template'])

export function createTagReader({ onOpen, onClose, onText }: TagListener): (text: string) => void {
  let rest = ''
  /** What ends the part that is skipped now: a comment, or an element that is not shown. */
  let skipUntil = ''

  function readTag(tag: string): void {
    const isClosing = tag.startsWith('/')
    const name = /^\/?([a-z][a-z0-9]*)/i.exec(tag)?.[1].toLowerCase()
    if (name === undefined) return
    if (isClosing) onClose(name)
    else if (HIDDEN.has(name) && !tag.endsWith('/')) skipUntil = `</${name}`
    else onOpen(name, (wanted) => attributeOf(tag, wanted))
  }

  /** Continues after what is skipped; returns -1 when its end is not there yet. */
  function skip(text: string, at: number): number {
    const end = indexOfIgnoringCase(text, skipUntil, at)
    if (end === -1) {
      rest = text.slice(Math.max(at, text.length - skipUntil.length))
      return -1
    }
    const next = end + (skipUntil === '-->' ? 3 : 0)
    skipUntil = ''
    return next
  }

  return (piece) => {
    const text = rest + piece
    rest = ''
    // Without it, each of many stray `<` would search the rest of the text for its end.
    const lastClose = text.lastIndexOf('>')
    let at = 0
    while (at < text.length) {
      if (skipUntil !== '') {
        at = skip(text, at)
        if (at === -1) return
        continue
      }
      const open = text.indexOf('<', at)
      if (open === -1 || open > at) onText(text.slice(at, open === -1 ? text.length : open))
      if (open === -1) return
      if (text.startsWith('<!--', open)) {
        skipUntil = '-->'
        at = open + 4
        continue
      }
      const end = open > lastClose ? -1 : tagEnd(text, open)
      if (end === -1 && text.length - open <= TAG_CHARS_MAX) {
        rest = text.slice(open)
        return
      }
      if (end === -1 || !/[a-z/!?]/i.test(text[open + 1] ?? '')) {
        onText('<')
        at = open + 1
        continue
      }
      readTag(text.slice(open + 1, end))
      at = end + 1
    }
  }
}

/** Returns where the tag that opens at `open` ends; its quoted values may contain `>`. */
function tagEnd(text: string, open: number): number {
  const close = text.indexOf('>', open)
  if (close - open > TAG_CHARS_MAX) return -1
  const quotes = text.slice(open, close).replaceAll(/=\s*("[^"]*"|'[^']*')/g, '')
  const quote = /=\s*(["'])/.exec(quotes)?.[1]
  if (quote === undefined) return close
  // The value is still open: the tag ends after its closing quote, or else where it seemed to.
  const unquote = text.indexOf(quote, close)
  if (unquote === -1) return text.length - open > TAG_CHARS_MAX ? close : -1
  const end = text.indexOf('>', unquote)
  return end === -1 || end - open > TAG_CHARS_MAX ? close : end
}

const ATTRIBUTE = /(?<![\w:-])([a-z][\w:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi

function attributeOf(tag: string, wanted: string): string {
  for (const [, name, double, single, bare] of tag.matchAll(ATTRIBUTE)) {
    if (name.toLowerCase() === wanted) return double ?? single ?? bare ?? ''
  }
  return ''
}

function indexOfIgnoringCase(text: string, wanted: string, from: number): number {
  if (wanted === '-->') return text.indexOf(wanted, from)
  return text.toLowerCase().indexOf(wanted, from)
}
