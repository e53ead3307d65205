import type { FieldName } from '../../mapping/fields.ts'
import { createColumnScan, type FeedMapping } from '../../mapping/mapping.ts'
import { type RawRow, textAt } from '../../reading/raw-row.ts'
import {
  type GrowMethod,
  grownPrefixOf,
  isGrownCertificate,
  isGrownCode,
  labSaysGrown,
  readGrown,
  readGrowthSign,
  readImitation,
  shapeSaysGrown,
} from '../../values/growth.ts'
import { readFlag } from '../../values/spelling.ts'
import { readTreatmentRemark } from '../../values/treatment.ts'
import type { DraftSettings } from '../draft-settings.ts'
import type { Notes } from '../notes.ts'

/** Whether a stone was grown, and by which method. */
export interface Growth {
  type: 'mined' | 'lab grown'
  grow_method: GrowMethod | null
  /** A treatment that a remark states, and the column that it stands in. */
  remarked: RemarkedTreatment | undefined
}

interface RemarkedTreatment {
  treatment: string
  at: number
}

/** Why a stone cannot be sold as mined or as grown, and in which column that stands. */
interface ColumnFault {
  at: number
  reason: string
}

/** A column that may say whether a stone was grown. */
interface ScannedColumn {
  at: number
  field: FieldName | null
  /** The column is about the kind of stone, so that `LG` and `Natural` are statements. */
  isKind: boolean
  /** What a plain yes in it says. */
  yes: 'grown' | 'mined' | undefined
  /** Only grown stones have a number here: `Lab Grown Report #`. */
  isGrownOnly: boolean
  /** Here HPHT is a treatment, not growth. */
  isTreatment: boolean
}

/**
 * Reads whether a stone is lab grown. Any sign in any column is enough (kind, growth, laboratory,
 * certificate, stock number, a remark): a lab grown stone sold as mined is the worst mistake that a
 * market can make. What the supplier is set to comes first.
 */
export function createGrowthReader(
  { mapping, supplier, isHousePrefix }: DraftSettings,
  notes: Notes,
) {
  const columnsNow = createColumnScan(mapping, scannedColumns)
  const isMinedOnly = supplier.stone_type === 'mined'
  const nameOf = (at: number) => JSON.stringify(mapping.columns[at].column)

  return (row: RawRow, certNum: string | null): Growth | ColumnFault => {
    const seen = scanRow(columnsNow(), row.cells, certNum)
    // A sheet or a file of a ZIP may be named after the stones in it.
    if (row.part !== undefined && readGrowthSign(row.part)) {
      seen.grownAt ??= mapping.at.vendor_sku ?? 0
    }
    const { remarked, method, imitation } = seen
    if (imitation) return imitation
    if (supplier.stone_type === 'lab grown') {
      return { type: 'lab grown', grow_method: method, remarked }
    }
    const isPrefixOnly = seen.grownAt === undefined && seen.prefixAt !== undefined
    if (isPrefixOnly && isMinedOnly && isHousePrefix) {
      return { type: 'mined', grow_method: null, remarked }
    }
    const at = seen.grownAt ?? seen.prefixAt
    if (at === undefined) return { type: 'mined', grow_method: null, remarked }
    if (isMinedOnly) {
      const reason = 'The supplier is set to mined stones, but this says that it is lab grown'
      return { at, reason }
    }
    if (seen.minedAt !== undefined) {
      const other = textAt(row.cells, seen.minedAt)
      // A stock number alone may start with the initials of a firm.
      if (isPrefixOnly) {
        const said = `${nameOf(seen.minedAt)} says ${JSON.stringify(other)}`
        return { at, reason: `This looks lab grown, but ${said}` }
      }
      notes.unreadable(mapping.columns[seen.minedAt].field ?? 'type', other, row.row)
    }
    return { type: 'lab grown', grow_method: method, remarked }
  }
}

interface SeenSigns {
  /** The first column with a certain sign. */
  grownAt: number | undefined
  /** The stock number starts like one of a grown stone. */
  prefixAt: number | undefined
  /** The first column that says that the stone is mined. */
  minedAt: number | undefined
  remarked: RemarkedTreatment | undefined
  method: GrowMethod | null
  /** A stone that looks like a diamond. */
  imitation: ColumnFault | undefined
}

/** Where the stone may be called by its own name. */
const NAMING: ReadonlySet<FieldName | null> = new Set(['type', 'species', 'shape', null] as const)

function scanRow(
  columns: readonly ScannedColumn[],
  cells: readonly string[],
  certNum: string | null,
): SeenSigns {
  const seen: SeenSigns = {
    grownAt: undefined,
    prefixAt: undefined,
    minedAt: undefined,
    remarked: undefined,
    method: null,
    imitation: undefined,
  }
  for (const column of columns) {
    const text = cells[column.at]
    if (text === undefined || text === '') continue
    if (NAMING.has(column.field)) {
      const name = readImitation(text, column.isKind || column.field !== null)
      if (name) seen.imitation ??= { at: column.at, reason: `This is ${name}, not a diamond` }
    }
    const said = readColumn(column, text.trim(), certNum)
    if (column.field === null && seen.remarked === undefined) {
      const treatment = readTreatmentRemark(text)
      if (treatment !== undefined) seen.remarked = { treatment, at: column.at }
    }
    if (said === undefined) continue
    if (said === 'mined') seen.minedAt ??= column.at
    else if (said === 'prefix') seen.prefixAt ??= column.at
    else {
      seen.grownAt ??= column.at
      if (said !== 'grown') seen.method ??= said
    }
  }
  return seen
}

/** What one cell says: grown (by its method, when that is named), mined, or nothing. */
function readColumn(
  column: ScannedColumn,
  text: string,
  certNum: string | null,
): GrowMethod | 'grown' | 'mined' | 'prefix' | undefined {
  const sign = readGrowthSign(column.isTreatment ? text.replaceAll(/HPHT/gi, '') : text)
  if (sign) return sign.method ?? 'grown'
  if (column.field === 'vendor_sku') return grownPrefixOf(text) === undefined ? undefined : 'prefix'
  if (column.field === 'shape') return shapeSaysGrown(text) ? 'grown' : undefined
  const isLab = column.field === 'lab' || column.field === 'lab_name'
  if (isLab || column.field === 'cert_num' || column.field === 'cert_num_2') {
    const isGrown = isGrownCertificate(certNum ?? '') || isGrownCertificate(text)
    return isGrown || (isLab && labSaysGrown(text)) ? 'grown' : undefined
  }
  if (column.isGrownOnly && LONG_NUMBER.test(text)) return 'grown'
  const flag = column.yes === undefined ? undefined : readFlag(text)
  if (flag !== undefined) return flag === (column.yes === 'grown') ? 'grown' : 'mined'
  if (!column.isKind) return undefined
  if (isGrownCode(text)) return 'grown'
  return readFlag(text) === undefined && readGrown(text) === false ? 'mined' : undefined
}

const LONG_NUMBER = /\d{4}/

/** Columns of numbers, grades and single treatments say nothing about growth. */
const SILENT: ReadonlySet<FieldName | null> = new Set<FieldName>([
  'weight',
  'price_per_carat',
  'total_price',
  'list_price',
  'total_list_price',
  'discount_percentage',
  'length',
  'width',
  'depth',
  'depth_percentage',
  'table_percentage',
  'crown_angle',
  'pavilion_angle',
  'pavilion_depth',
  'girdle',
  'girdle_min',
  'girdle_max',
  'culet_size',
  'clarity',
  'cut_grade',
  'polish_grade',
  'symmetry_grade',
  'fluorescence',
  'fluorescence_color',
  'clarity_enhanced',
  'color_enhanced',
  'hpht_treated',
  'irradiated',
  'laser_drilled',
  'other_treatment',
])
const KIND_FIELDS: ReadonlySet<FieldName | null> = new Set<FieldName>([
  'type',
  'grow_method',
  'origin',
  'species',
])
/** The name of a firm says nothing about one stone. */
const FIRM =
  /seller|vendor.?name|company|supplier.?(name|id)|e.?mail|contact|account|phone|website/i
const KIND = /type|origin|grow|nature|source|category|kind|species|nat.{0,8}lab|lab.{0,8}nat/i
const GROWN = /lab.?grown|lab.?created|lab.?diamond|synthetic|man.?made|\bcvd\b|\blgd?\b/i
const MINED = /^(is.?)?(natural|mined)$/i
const TREATMENT = /treat|enhanc|hpht|anneal/i

function scannedColumns({ columns }: FeedMapping): ScannedColumn[] {
  return columns.flatMap(({ column, field }, at) => {
    if (SILENT.has(field) || (field === null && FIRM.test(column))) return []
    const isMethod = field === 'grow_method'
    const isNamed = field === 'type' || (field === null && GROWN.test(column))
    const yes = MINED.test(column) ? 'mined' : isNamed && !isMethod ? 'grown' : undefined
    const isNamedKind = field === null && (KIND.test(column) || GROWN.test(column))
    const isKind = KIND_FIELDS.has(field) || isNamedKind
    const isTreatment = field === 'treatment' || (field === null && TREATMENT.test(column))
    const isGrownOnly = field === null && GROWN.test(column)
    return [{ at, field, isKind, yes, isGrownOnly, isTreatment }]
  })
}
