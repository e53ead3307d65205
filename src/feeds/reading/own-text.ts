/**
 * A copy that shares no memory with the text it was cut from. V8 keeps the whole chunk alive for
 * a piece of it that is kept; whatever outlives its chunk goes through here.
 */
export function own(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le')
}
