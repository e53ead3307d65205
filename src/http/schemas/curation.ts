import { Type } from 'typebox'
import { GEM_TYPES, SHAPES } from '../../reference/attributes.ts'
import {
  flag,
  inlineObject,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
  uuid,
} from './fields.ts'
import { GemSchema } from './gem.ts'

const filter = (description: string, example: string) =>
  Type.Optional(text(description, example, { minLength: 1, maxLength: 200 }))
const ratio = (description: string, example: number) =>
  Type.Optional(number(description, example, { minimum: 0, maximum: 100 }))

/** Some callers send the weight as a text. */
const weight = Type.Unsafe<number | string>({
  type: ['number', 'string'],
  exclusiveMinimum: 0,
  maximum: 1000,
  pattern: '^(?=.*[1-9])\\d{1,3}(\\.\\d{1,4})?$',
  description: 'Carats of the stone that is looked for, as a number or as its digits',
  examples: [1],
})

export const CurationBody = inlineObject(
  {
    weight,
    shape: oneOf(SHAPES, 'Shape', { examples: ['round'] }),
    types: list(oneOf(GEM_TYPES, 'A type'), 'Where the stones may come from', {
      minItems: 1,
      maxItems: 10,
    }),
    currency_code: Type.Optional(
      text("Prices in this currency instead of the merchant's own", 'EUR', {
        pattern: '^[A-Z]{3}$',
      }),
    ),
    count_per_grade: Type.Unsafe<1 | 2>({
      type: 'integer',
      enum: [1, 2],
      default: 1,
      description: 'Stones for each template: 1, or 2 for a matched pair',
      examples: [1],
    }),
    ratio_min: ratio('Least length divided by width', 1.35),
    ratio_max: ratio('Greatest length divided by width', 1.55),
    merchant_template_filters: Type.Optional(
      object(
        'TemplateFilters',
        {
          group: filter('Only templates of this group', 'DEFAULT'),
          label: filter('Only templates with this label', 'IDEAL'),
          uuid: filter('Only this template', 'DEFAULT_IDEAL'),
        },
        { description: "Which templates choose; absent: the merchant's own, or the predefined" },
      ),
    ),
    explain: Type.Optional(flag('Whether to say why each stone was chosen', true)),
  },
  { title: 'CuratedSearch' },
)

export const CuratedGemSchema = object('CuratedGem', {
  ...GemSchema.properties,
  merchant_template_position: integer('Position of the template that chose it', 1),
  hold_merchant_uuid: nullable(uuid('Who holds it: the caller, or nobody')),
  is_pair: flag('Whether it is one of a matched pair', false),
  match: Type.Optional(
    object(
      'CurationMatch',
      {
        score: integer('100 is made exactly as the grade asks', 97),
        reasons: list(
          text('A sentence', 'Its 1.02 ct lie within -2 % and +8 % of 1 ct.'),
          'In words',
        ),
      },
      { description: 'Why it was chosen; only when asked for' },
    ),
  ),
})

export const CuratedGems = list(CuratedGemSchema, 'By the position of the template, then by rank')
