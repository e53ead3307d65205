import {
  CLARITIES,
  COLORS,
  CULETS,
  CUT_CODES,
  CUT_GRADES,
  FANCY_INTENSITIES,
  FINISH_GRADES,
  FLUORESCENCES,
  GEM_TYPES,
  GIRDLES,
  LABS,
  SHAPES,
} from '../../reference/attributes.ts'
import { FIELDS, type FieldName, isField } from './fields.ts'
import { type MappingFields, type OwnMapping, readMappingFile } from './mapping-file.ts'
import { fitsField } from './value-fits.ts'

const VALUES = new Map<FieldName, readonly string[]>([
  ['shape', SHAPES],
  ['color', COLORS],
  ['clarity', CLARITIES],
  ['cut_grade', CUT_GRADES],
  ['polish_grade', FINISH_GRADES],
  ['symmetry_grade', FINISH_GRADES],
  ['fluorescence', FLUORESCENCES],
  ['fancy_color_intensity', FANCY_INTENSITIES],
  ['girdle', GIRDLES],
  ['girdle_min', GIRDLES],
  ['girdle_max', GIRDLES],
  ['culet_size', CULETS],
  ['lab', LABS],
  ['cut_code', CUT_CODES],
  ['color_max', COLORS],
  ['clarity_max', CLARITIES],
  ['type', GEM_TYPES],
  ['availability', ['available', 'on hold', 'on memo', 'sold']],
])

/** The fields of stones, as a mapping may name them. */
export const STONE_FIELDS: MappingFields = {
  names: FIELDS,
  unique: new Set<FieldName>(['vendor_sku', 'cert_num', 'cert_num_2', 'pair_vendor_sku']),
  hasValue: (field, value) => !isField(field) || fitsField(field, value, { decimalComma: false }),
  valuesOf: (field) => (isField(field) ? (VALUES.get(field) ?? []) : []),
}

/** Reads a mapping for a file of stones, or refuses it with all its faults. */
export function readStoneMapping(json: unknown): OwnMapping {
  return readMappingFile(json, STONE_FIELDS)
}
