import { GEM_TYPES, LABS, SHAPES } from '../../reference/attributes.ts'
import { DIAMOND_FIELDS } from './diamond-fields.ts'
import type { FieldTable } from './field-table.ts'

/** Everything by which coloured stones are found and ordered. Their words are the suppliers' own. */
export const GEMSTONE_FIELDS = {
  sku: { kind: 'text' },
  cert_num: { kind: 'text', nullable: true },
  lab: { kind: 'oneOf', values: LABS, nullable: true, noneWord: true },
  shape: { kind: 'oneOf', values: SHAPES },
  type: { kind: 'oneOf', values: GEM_TYPES },
  species: { kind: 'oneOf', values: 'open' },
  color: { kind: 'oneOf', values: 'open', nullable: true },
  origin: { kind: 'oneOf', values: 'open', nullable: true },
  treatment: { kind: 'oneOf', values: 'open', nullable: true },
  weight: { kind: 'range', decimals: 4, sort: true },
  retail_price: { kind: 'price', price: 'retail', sort: true },
  wholesale_price: { kind: 'price', price: 'wholesale', sort: true },
  has_media: DIAMOND_FIELDS.has_media,
  on_hold: DIAMOND_FIELDS.on_hold,
  created_on: { kind: 'moment', sort: true },
  updated_on: { kind: 'moment', sort: true },
} as const satisfies FieldTable
