/** What a file says about its stones outside of their rows: in titles, sections and its name. */
import type { Supplier } from '../../../gems/supplier.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { countFieldNames, foldName } from '../../mapping/header-names.ts'
import type { RawRow } from '../../reading/raw-row.ts'
import { currenciesOfTitle } from '../../values/currency.ts'
import { readGrowthSign } from '../../values/growth.ts'
import type { PriceLevel } from './price-check.ts'
import { refuseUnsure } from './unsure.ts'

/** Texts that are not part of a stone's row. */
export interface OutsideSigns {
  /** Looks at a rejected row: one with a single text may be the title of a section. */
  seeRow(row: RawRow): void
  /** The first text that says that stones are lab grown. */
  growth(): string | undefined
  /** The first row that names columns in another order than the header. */
  otherHeader(): RawRow | undefined
}

interface OutsideTexts {
  columns: readonly string[]
  titles: readonly string[]
  fileName: string | undefined
  supplierName: string
}

/** The title of a section has one text; a second cell may hold a date or a count. */
const SECTION_CELLS_MAX = 2

/** A row that names so many fields, and has no number, is a header. */
const HEADER_NAMES_MIN = 4
const HEADER_NAMES_SHARE_MIN = 0.5
const NUMBER = /^[^\p{L}\d]*\d\P{L}*$/u

export function createOutsideSigns(outside: OutsideTexts): OutsideSigns {
  const { titles, fileName, supplierName, columns } = outside
  const texts: [string, string][] = [
    ...titles.map((title): [string, string] => [`The title ${JSON.stringify(title)}`, title]),
    [`The file name ${JSON.stringify(fileName ?? '')}`, fileName ?? ''],
    [`The name of the supplier ${JSON.stringify(supplierName)}`, supplierName],
  ]
  let growth = texts.find(([, text]) => readGrowthSign(text) !== undefined)?.[0]
  let header: RawRow | undefined
  return {
    seeRow(rejected) {
      const { cells, row } = rejected
      if (header === undefined && isOtherHeader(cells, columns)) header = rejected
      if (growth !== undefined) return
      const filled = cells.filter((cell) => cell.trim() !== '')
      if (filled.length === 0 || filled.length > SECTION_CELLS_MAX) return
      const sign = filled.find((cell) => readGrowthSign(cell) !== undefined)
      if (sign !== undefined) growth = `Row ${row}, ${JSON.stringify(sign.trim().slice(0, 100))},`
    },
    growth: () => growth,
    otherHeader: () => header,
  }
}

function isOtherHeader(cells: readonly string[], columns: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '')
  // Folding names costs more than all else that is done with a rejected row.
  if (filled.length < HEADER_NAMES_MIN || filled.some((cell) => NUMBER.test(cell))) return false
  const isSame = cells.every((cell, at) => {
    const name = foldName(cell)
    return name === '' || name === foldName((columns[at] ?? '').replace(/ \(\d+\)$/, ''))
  })
  if (isSame) return false
  const names = countFieldNames(filled)
  return names >= HEADER_NAMES_MIN && names >= filled.length * HEADER_NAMES_SHARE_MIN
}

/** Refuses a file in which another header follows: the rows after it have other columns. */
export function checkOneHeader(signs: OutsideSigns): void {
  const header = signs.otherHeader()
  if (header === undefined) return
  const names = header.cells.filter((cell) => cell.trim() !== '').slice(0, HEADER_NAMES_SHOWN)
  const detail =
    `Row ${header.row} is another header, with columns in another order than the first: ` +
    `${names.join(', ')}, …. Send the rows after it as a file of their own; nothing was changed.`
  throw new Refusal('invalid_request', detail)
}

const HEADER_NAMES_SHOWN = 8

/** Asks about mined stones in a file that says elsewhere that its stones are lab grown. */
export function checkOutsideGrowth(
  signs: OutsideSigns,
  levels: readonly PriceLevel[],
  { name, stone_type }: Supplier,
): void {
  const said = signs.growth()
  if (said === undefined || stone_type !== null) return
  const mined = levels
    .filter(({ kind }) => kind.startsWith('mined|'))
    .reduce((sum, { stones }) => sum + stones, 0)
  if (mined === 0) return
  const setType = `pavilion supplier set ${JSON.stringify(name)} --type`
  refuseUnsure({
    about: 'type',
    question:
      `${said} says that stones are lab grown, but nothing in the rows of ` +
      `${mined} stones does.`,
    readings: [
      { option: `${setType} lab-grown`, meaning: 'all of them are lab grown' },
      { option: `${setType} mined`, meaning: 'they are mined' },
      { option: `${setType} both`, meaning: 'only stones whose rows say so are lab grown' },
    ],
    examples: [],
  })
}

/** Asks about prices without a currency in a file whose title names another one. */
export function checkTitleCurrency(
  titles: readonly string[],
  {
    currency,
    isNamed,
  }: {
    currency: string
    /** A column, a header or the operator says what the currency is. */
    isNamed: boolean
  },
): void {
  if (isNamed) return
  for (const title of titles) {
    const named = currenciesOfTitle(title)
    if (named.length !== 1 || named[0] === currency) continue
    refuseUnsure({
      about: 'currency',
      question:
        `The title ${JSON.stringify(title)} names ${named[0]}, ` +
        `but the supplier's currency is ${currency}.`,
      readings: [
        { option: `--currency ${named[0]}`, meaning: `the prices are in ${named[0]}` },
        { option: `--currency ${currency}`, meaning: `they are in ${currency}` },
      ],
      examples: [],
    })
  }
}
