import { type TSchema, Type } from 'typebox'
import { GEM_ATTRIBUTES, GEM_RATIOS } from '../../reference/attributes.ts'
import { DEFAULT_TEMPLATES, GRADE_NAMES } from '../../reference/defaults.ts'
import { flag, list, nullable, number, object, oneOf, text } from './fields.ts'

/** The shapes of the reference data, derived from the data itself where its keys are fixed. */
export const GemAttributesSchema = object(
  'GemAttributes',
  mapValues(GEM_ATTRIBUTES, (values, name) =>
    Type.Array(nullable(text(`A value of ${name}`, String(values[0]))), {
      description: `The values of ${name}, in order; null means that a stone may have no value`,
      examples: [values],
    }),
  ),
)

const DefaultTemplateSchema = object('DefaultTemplate', {
  clarity: text('Worst clarity accepted', 'VS1'),
  color: text('Worst color accepted', 'F'),
  culet_size: nullable(text('Culet size; null for any', 'N')),
  cut_grade: nullable(text('Cut grade; rounds only', 'EX')),
  depth_percentage: number('Depth in percent of the width', 61.5),
  fluorescence: text('Fluorescence', 'None'),
  girdle_max: text('Thickest girdle accepted', 'STK'),
  girdle_min: text('Thinnest girdle accepted', 'VTN'),
  length: nullable(number('Length in millimetres; null for any', 6.5)),
  polish_grade: text('Polish', 'EX'),
  symmetry_grade: text('Symmetry', 'EX'),
  table_percentage: number('Table in percent of the width', 57),
  width: nullable(number('Width in millimetres; null for any', 6.5)),
})

const gradesSchema = object(
  'DefaultTemplateGrades',
  Object.fromEntries(GRADE_NAMES.map((name) => [name, DefaultTemplateSchema])),
)

export const DefaultTemplatesSchema = object(
  'DefaultTemplates',
  mapValues(DEFAULT_TEMPLATES, () => gradesSchema),
)

export const DefaultMarginsSchema = list(
  object('DefaultProfitMargin', {
    lab_percent: number('Added to lab grown stones', 50),
    mined_percent: number('Added to mined stones', 35),
    weight_max: number('Up to this weight in carats', 0.75),
    weight_min: number('From this weight in carats', 0),
    weight_or_price: oneOf(['weight'], 'What the bounds measure'),
  }),
  'From low to high',
)

const ProductSettingSchema = object('ProductSetting', {
  collection_id: text('Collection that it belongs to', 'bespoke_single'),
  mode: oneOf(['SINGLE', 'PAIR'], 'One stone or a matched pair'),
  ratio_enabled: flag('Whether the ratio bounds apply', true),
  ratio_max: nullable(number('Largest length to width ratio', 1.55)),
  ratio_min: nullable(number('Smallest length to width ratio', 1.35)),
  shape: text('Shape', 'oval'),
  title: text('Title', 'Oval Diamond'),
  types: list(text('Type', 'mined'), 'Types of stones'),
  weight_max: number('Carats', 10),
  weight_min: number('Carats', 0),
})

export const CollectionsSchema = list(
  object('DefaultCollection', {
    id: text('Id of the collection', 'bespoke_single'),
    title: text('Title', 'Bespoke Single'),
    product_settings: list(ProductSettingSchema, 'Settings of the collection'),
  }),
  'The two default collections',
)

const RatioSchema = object('GemRatio', {
  ratio_max: number('Largest ratio', 1.054),
  ratio_min: number('Smallest ratio', 1),
})

export const GemRatiosSchema = object(
  'GemRatios',
  mapValues(GEM_RATIOS, (kinds, shape) =>
    Type.Object(
      mapValues(kinds, () => RatioSchema),
      { additionalProperties: false, description: `Ratios of ${shape}` },
    ),
  ),
)

function mapValues<T extends object>(
  record: T,
  schemaOf: (value: T[keyof T], name: string) => TSchema,
): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, schemaOf(value as T[keyof T], name)]),
  )
}
