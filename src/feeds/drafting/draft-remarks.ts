import { WORDS_CHARS_MAX } from '../../gems/gem.ts'
import { readShadeOfColor } from '../values/color-words.ts'
import { isBlankWord, readFlag, saysNothing } from '../values/spelling.ts'
import type { CellReader } from './row-reader.ts'

interface Remarks {
  shade: string | null
  milky: string | null
  black_inclusion: string | null
}

/** What suppliers remark about the look of a stone, in their own words. */
export function draftRemarks(cell: CellReader, isColored: boolean): Remarks {
  const bgm = readBgm(cell('bgm'))
  return {
    shade: shadeOf(cell, isColored) ?? bgm.shade,
    milky: wordsOrNull(cell('milky')) ?? bgm.milky,
    black_inclusion: wordsOrNull(cell('black_inclusion')),
  }
}

/** `No BGM`: neither brown nor green nor milky. Of a plain yes it is not said which of them. */
function readBgm(text: string): Pick<Remarks, 'shade' | 'milky'> {
  if (wordsOrNull(text) === null) return { shade: null, milky: null }
  if (saysNothing(text) || /^no(?:n|ne|t)?(?![a-z])/i.test(text)) {
    return { shade: 'None', milky: 'None' }
  }
  const words = text.slice(0, WORDS_CHARS_MAX)
  return {
    shade: /br(?:ow)?n|gr(?:ee)?n|gr[ae]y|blue|tinge/i.test(text) ? words : null,
    milky: /milk/i.test(text) ? words : null,
  }
}

/** What the file says of the shade; the color of a white stone may name it as well. */
function shadeOf(cell: CellReader, isColored: boolean): string | null {
  const shade = wordsOrNull(cell('shade')) ?? tintsOf(cell)
  return shade !== null || isColored ? shade : readShadeOfColor(cell('color'))
}

/** Columns for one tint each. */
const TINTS = [
  ['shade_brown', 'Brown'],
  ['shade_green', 'Green'],
  ['shade_blue', 'Blue'],
  ['shade_gray', 'Gray'],
] as const

/** The tints that the stone has; `None` where such columns say that it has none. */
function tintsOf(cell: CellReader): string | null {
  const filled = TINTS.filter(([field]) => wordsOrNull(cell(field)) !== null)
  if (filled.length === 0) return null
  const found = filled.flatMap(([field, tint]) => tintIn(cell(field), tint))
  return found.length > 0 ? found.join(', ').slice(0, WORDS_CHARS_MAX) : 'None'
}

/** `Light` in the column `brown` is `Light Brown`, a yes is `Brown`, and `None` is nothing. */
function tintIn(text: string, tint: string): string[] {
  if (saysNothing(text)) return []
  if (readFlag(text) === true) return [tint]
  return [new RegExp(tint, 'i').test(text) ? text : `${text} ${tint}`]
}

/** What the feed says, in its own words: `None` is a remark, while `N/A` stands for no remark. */
function wordsOrNull(text: string): string | null {
  return text === '' || isBlankWord(text) ? null : text.slice(0, WORDS_CHARS_MAX)
}
