import { fieldsNamed } from '../../mapping/header-names.ts'
import { createColumnScan, type FeedMapping, isIgnored } from '../../mapping/mapping.ts'
import { type RawRow, textAt } from '../../reading/raw-row.ts'
import { readColor } from '../../values/color.ts'
import { readClarity } from '../../values/grades.ts'
import { readImitation } from '../../values/growth.ts'
import { readShape } from '../../values/shape.ts'
import {
  type GemName,
  isMineralOf,
  readSpecies,
  readStoneWords,
  type StoneWords,
  saysNoSpecies,
} from '../../values/species.ts'
import { cached, lastName, readFlag } from '../../values/spelling.ts'
import type { CellReader } from '../row-reader.ts'

/** What a file says about gemstones outside of the row that is read. */
export interface GemSigns {
  /** What its title or the name of its sheet says. */
  title: TitleSign | undefined
  /** Some of its rows name a gemstone, so that one without a name may be one as well. */
  hasGemstones: boolean
}

interface TitleSign {
  gem: GemName | undefined
  /** The text may be about something else, such as a firm with the name of a gemstone. */
  isUnsure: boolean
}

/** The species of a gemstone, and the color beside its name; both undefined for a diamond. */
interface SpeciesFields {
  species: string | undefined
  hue: string | undefined
}

interface SpeciesFault {
  at: number
  reason: string
}

/** A column that may say what stone a row is. */
interface NamingColumn {
  at: number
  /** `kind`: a column of kinds; `text`: a name or a description; others: a plain yes counts. */
  says: 'species' | 'kind' | 'text' | 'is gemstone' | 'is diamond'
}

const DIAMOND: SpeciesFields = { species: undefined, hue: undefined }
/** `GEMSTONE` is two of the words; as a third one, each of it would double the time. */
const KIND = new RegExp(
  '^(?:STONE|GEM|PRODUCT|ITEM|GOODS|DIAMOND|SUB)*' +
    '(?:TYPE|KIND|CATEGORY|CATEGORIES|CLASS|GROUP|FAMILY|SPECIES|VARIETY|MATERIAL|MINERAL)S?$',
)
const TEXT = /^(?:ITEM|PRODUCT|STONE|GEM|DIAMOND)*(?:NAME|TITLE|DESCRIPTION|DESC|ITEM|PRODUCT)$/
/** In a title, words of a firm: its name says nothing about the stones. */
const FIRM = new RegExp(
  '(?<![a-z])(?:ltd|limited|inc|llc|gmbh|bv|nv|co|corp|company|jewel\\w*|group|trading|exports?|' +
    'impex|bros|brothers|sons?|house|international|enterprises?|gems?|www|e?mail|tel)(?![a-z])',
  'i',
)

/**
 * Reads which gemstone a row is. Its name may stand in any column about the kind of stone, in a
 * description, in a title or in the name of a sheet. What may be a gemstone and may be a diamond is
 * rejected: a sapphire sold as a blue diamond costs a market its name.
 */
export function createSpeciesReader(mapping: FeedMapping, signs: GemSigns, cell: CellReader) {
  const columnsNow = createColumnScan(mapping, namingColumns)
  return (row: RawRow): SpeciesFields | SpeciesFault => {
    const columns = columnsNow()
    const part = row.part === undefined ? undefined : readTitle(row.part)
    if (columns.length === 0 && !part && !signs.title && !signs.hasGemstones) return DIAMOND
    const titleAt = mapping.at.vendor_sku ?? 0
    const title = part ?? (signs.title && { ...signs.title, isElsewhere: row.part !== undefined })
    return decideSpecies(scanRow(columns, row.cells), cell, { ...signs, title, titleAt })
  }
}

/** What the columns of a row say. */
interface SeenNames {
  /** In columns about the kind of stone. */
  kinds: { gem: GemName; at: number; isSpecies: boolean }[]
  /** In names and descriptions. */
  texts: { gem: GemName; at: number }[]
  isDiamond: boolean
  isDiamondText: boolean
  anyGemAt: number | undefined
  unknownAt: number | undefined
}

function scanRow(columns: readonly NamingColumn[], cells: readonly string[]): SeenNames {
  const seen: SeenNames = {
    kinds: [],
    texts: [],
    isDiamond: false,
    isDiamondText: false,
    anyGemAt: undefined,
    unknownAt: undefined,
  }
  for (const { at, says } of columns) {
    const text = textAt(cells, at)
    if (text === '') continue
    const words = readNaming(says, text)
    if (words === undefined) {
      // An imitation is rejected by its own name, see draft-growth.ts.
      const isNamed = saysNoSpecies(text) || readImitation(text, true) !== undefined
      if (says === 'species' && !isNamed) seen.unknownAt ??= at
      continue
    }
    const { gem, isAnyGem, isDiamond } = words
    // `Diamonds & Gemstones` and `Sapphire and diamond` do not say which of them this is.
    if (isDiamond && (gem || isAnyGem)) continue
    if (isDiamond) seen[says === 'text' ? 'isDiamondText' : 'isDiamond'] = true
    if (isAnyGem && says !== 'text') seen.anyGemAt ??= at
    if (gem && says === 'text') seen.texts.push({ gem, at })
    else if (gem) seen.kinds.push({ gem, at, isSpecies: says === 'species' })
  }
  return seen
}

function readNaming(says: NamingColumn['says'], text: string): StoneWords | undefined {
  if (says === 'species') return readSpecies(text)
  if (says === 'kind' || says === 'text') return readStoneWords(text)
  const flag = readFlag(text)
  if (flag === undefined) return undefined
  const isDiamond = flag === (says === 'is diamond')
  // Nothing but gemstones and diamonds is sold here, so one of them is not the other.
  return { gem: undefined, hasOthers: false, isDiamond, isAnyGem: !isDiamond }
}

interface OutsideSigns {
  /** `isElsewhere` is a title of the whole file, while the row is from one of several sheets. */
  title: (TitleSign & { isElsewhere?: boolean }) | undefined
  /** The column that a rejection names when the title is the reason. */
  titleAt: number
  hasGemstones: boolean
}

function decideSpecies(
  seen: SeenNames,
  cell: CellReader,
  { title, titleAt, hasGemstones }: OutsideSigns,
): SpeciesFields | SpeciesFault {
  const isGraded = isGradedAsDiamond(cell)
  const isShape = (gem: GemName) => isNameOfShape(gem, cell('shape'))
  const kinds = seen.kinds.filter(({ gem, isSpecies }) => {
    return isSpecies || !(isGraded && isShape(gem))
  })
  if (kinds.length > 0) return decideKind(kinds, seen)
  if (seen.unknownAt !== undefined) {
    return { at: seen.unknownAt, reason: 'The species is not known' }
  }
  if (seen.isDiamond) return DIAMOND
  const doubts: number[] = []
  for (const { gem, at } of seen.texts) {
    if (gem.mayBeColor || isShape(gem)) doubts.push(at)
    else if (isGraded && seen.anyGemAt === undefined) return contradicted(at, gem)
    else return fieldsOf(gem)
  }
  if (seen.isDiamondText) return DIAMOND
  if (title) {
    const { gem, isUnsure, isElsewhere } = title
    if (gem && !isUnsure && !isElsewhere && !isShape(gem)) {
      return isGraded ? contradicted(titleAt, gem) : fieldsOf(gem)
    }
    doubts.push(titleAt)
  }
  if (seen.anyGemAt !== undefined) {
    return { at: seen.anyGemAt, reason: 'This is a gemstone, but its species is not said' }
  }
  if (isGraded || (doubts.length === 0 && !hasGemstones)) return DIAMOND
  const reason = 'This may be a diamond or a gemstone: its species is not said'
  return { at: doubts[0] ?? titleAt, reason }
}

function decideKind(
  kinds: SeenNames['kinds'],
  { isDiamond }: SeenNames,
): SpeciesFields | SpeciesFault {
  const isMineral = (name: string) => kinds.some((each) => isMineralOf(name, each.gem.species))
  const [{ gem, at } = kinds[0], ...others] = kinds.filter((each) => !isMineral(each.gem.species))
  if (isDiamond) return { at, reason: `This says ${gem.species}, and another column diamond` }
  const other = others.find((each) => each.gem.species !== gem.species)
  if (other) return { at: other.at, reason: `Another column says ${gem.species}` }
  return { species: gem.species, hue: kinds.find((each) => each.gem.hue !== undefined)?.gem.hue }
}

/** `Emerald` beside the shape of that name may be the shape once more. */
function isNameOfShape({ species }: GemName, shape: string): boolean {
  return species === 'emerald' && readShape(shape)?.shape === 'emerald'
}

function fieldsOf({ species, hue }: GemName): SpeciesFields {
  return { species, hue }
}

function contradicted(at: number, { species }: GemName): SpeciesFault {
  return { at, reason: `This says ${species}, but color and clarity are those of a diamond` }
}

/** A grade of white or the word "fancy", and a clarity: gemstones have neither. */
function isGradedAsDiamond(cell: CellReader): boolean {
  if (readClarity(cell('clarity')) === undefined) return false
  const color = readColor(cell('color'))
  if (color?.is_fancy === false) return true
  return [cell('color'), cell('fancy_color'), cell('color_description')].some((text) =>
    /FANCY|FCY/i.test(text),
  )
}

/** Reads what a title, or the name of a sheet or a file, says about gemstones. */
const readTitle = cached((text: string): TitleSign | undefined => {
  const words = FIRM.test(text) ? undefined : readStoneWords(text.replaceAll('_', ' '))
  if (!words || words.isDiamond || (!words.gem && !words.isAnyGem)) return undefined
  return { gem: words.gem, isUnsure: words.hasOthers || words.gem === undefined }
})

/** Looks for gemstones in the titles and the first rows of a file. */
export function findGemSigns(
  mapping: FeedMapping,
  sample: readonly RawRow[],
  titles: readonly string[],
): GemSigns {
  const signs = titles.flatMap((text) => readTitle(text) ?? [])
  const title = signs.find(({ isUnsure }) => !isUnsure) ?? signs[0]
  const columns = namingColumns(mapping)
  const hasGemstones = sample.some(({ cells, part }) => {
    if (part !== undefined && readTitle(part)?.isUnsure === false) return true
    const { kinds, texts, anyGemAt } = scanRow(columns, cells)
    const shape = mapping.at.shape === undefined ? '' : (cells[mapping.at.shape] ?? '')
    const isSure = ({ gem }: { gem: GemName }) => !gem.mayBeColor && !isNameOfShape(gem, shape)
    return anyGemAt !== undefined || kinds.some(isSure) || texts.some(isSure)
  })
  return { title, hasGemstones }
}

function namingColumns({ columns }: FeedMapping): NamingColumn[] {
  return columns.flatMap((mapped, at): NamingColumn[] => {
    const { column, field } = mapped
    if (field === 'species') return [{ at, says: 'species' }]
    if (field === 'type' || field === 'grow_method') return [{ at, says: 'kind' }]
    if (field !== null || isIgnored(mapped)) return []
    if (fieldsNamed(column).some((named) => named.field === 'species' && named.certainty === 1)) {
      return [{ at, says: 'species' }]
    }
    const name = lastName(column)
    if (/^IS(?:A)?(?:GEM|GEMSTONE)$/.test(name)) return [{ at, says: 'is gemstone' }]
    if (/^IS(?:A)?DIAMOND$/.test(name)) return [{ at, says: 'is diamond' }]
    if (KIND.test(name)) return [{ at, says: 'kind' }]
    return TEXT.test(name) ? [{ at, says: 'text' }] : []
  })
}
