/** The frame of every page, parts that all pages use, and the sign-in. */
export const FRAME = {
  Language: 'Sprache',
  never: 'nie',
}
