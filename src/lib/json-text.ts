/** JSON as text, such as PostgreSQL prints a jsonb column. It is an object. */
export type JsonObjectText = string & { readonly is: 'json object' }

/** Stands for a text that is kept; where it is written as JSON, the text is written instead. */
export type KeptText = string & { readonly is: 'kept text' }

/** The texts of one response, which are written as they are, without being parsed. */
export interface JsonTexts {
  keep(text: JsonObjectText): KeptText
  /** The JSON of a value in which kept texts may be, each any number of times. */
  write(value: unknown): string
}

/**
 * PostgreSQL cannot store U+0000, neither in text nor in jsonb, so no value of a row begins with
 * it. A backslash of a value is written as two, so nothing else looks like this in JSON either.
 */
const MARK = '\u0000'
const WRITTEN_MARK = '"\\u0000'

export function createJsonTexts(): JsonTexts {
  const texts: string[] = []
  return {
    keep: (text) => `${MARK}${texts.push(text) - 1}` as KeptText,
    write(value) {
      const [first, ...others] = JSON.stringify(value).split(WRITTEN_MARK)
      let written = first
      for (const piece of others) {
        const end = piece.indexOf('"')
        const text = texts.at(Number(piece.slice(0, end)))
        if (end < 1 || text === undefined) throw new Error('a value begins with U+0000')
        written += text + piece.slice(end + 1)
      }
      return written
    },
  }
}

/** The object with one more member, which it must not have yet. */
export function withMember(object: JsonObjectText, name: string, value: unknown): JsonObjectText {
  const member = `${JSON.stringify(name)}:${JSON.stringify(value)}}`
  return (object === '{}' ? `{${member}` : `${object.slice(0, -1)},${member}`) as JsonObjectText
}
