/** Returns the index after the closing quote of the string that opens at `at`, or -1. */
export function stringEnd(text: string, at: number): number {
  let close = text.indexOf('"', at + 1)
  while (close !== -1) {
    let slashes = 0
    while (text.charCodeAt(close - 1 - slashes) === 92) slashes++
    if (slashes % 2 === 0) return close + 1
    close = text.indexOf('"', close + 1)
  }
  return -1
}

/** Returns the index after the brace that closes the object opening at `at`, or -1. */
export function objectEnd(text: string, at: number, charsMax: number): number {
  let depth = 0
  const stop = Math.min(text.length, at + charsMax)
  for (let index = at; index < stop; index++) {
    const char = text.charCodeAt(index)
    if (char === 34) {
      const end = stringEnd(text, index)
      if (end === -1) return -1
      index = end - 1
    } else if (char === 123) depth++
    else if (char === 125 && --depth === 0) return index + 1
  }
  return -1
}

/** With `\s*,?\s*` the time would grow with the square of the spaces after a brace. */
const NEXT_OBJECT = /\}\s*(?:,\s*)?\{/

/** Returns where a damaged object that opens at `at` ends because the next one begins, or -1. */
export function nextObject(text: string, at: number, end: number): number {
  const next = NEXT_OBJECT.exec(text.slice(at, end))
  return next ? at + next.index + 1 : -1
}

/**
 * Parses the first part of a document as far as its values are complete; undefined when it is not
 * JSON. The rest of a list or an object that is cut off is left out.
 */
export function parseStart(text: string): unknown {
  const { closing, lastComma } = bracketsOf(text)
  const isCutOff = closing !== '' && lastComma !== -1
  const complete = isCutOff ? text.slice(0, lastComma) : text
  try {
    return JSON.parse(isCutOff ? complete + bracketsOf(complete).closing : complete)
  } catch {
    return undefined
  }
}

/** The brackets that a document still needs at its end, and where its last comma is. */
function bracketsOf(text: string): { closing: string; lastComma: number } {
  const open: string[] = []
  let lastComma = -1
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      const end = stringEnd(text, at)
      if (end === -1) break
      at = end - 1
    } else if (char === '[') open.push(']')
    else if (char === '{') open.push('}')
    else if (char === ']' || char === '}') open.pop()
    else if (char === ',') lastComma = at
  }
  return { closing: open.toReversed().join(''), lastComma }
}
