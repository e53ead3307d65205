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
  tradeOnly,
  uuid,
} from './fields.ts'
import { GemSchema } from './gem.ts'

const filter = (description: string, example: string) =>
  Type.Optional(text(description, example, { minLength: 1, maxLength: 200 }))
const ratio = (description: string, example: number) =>
  Type.Optional(number(description, example, { minimum: 0, maximum: 100 }))

/** Some callers send the weight as a string. */
const weight = Type.Unsafe<number | string>({
  type: ['number', 'string'],
  exclusiveMinimum: 0,
  maximum: 1000,
  pattern: '^(?=.*[1-9])\\d{1,3}(\\.\\d{1,4})?$',
  description: 'Carats of the stone to find, as a number or as a string',
  examples: [1],
})

export const CurationBody = inlineObject(
  {
    weight,
    shape: oneOf(SHAPES, 'Shape', { examples: ['round'] }),
    types: list(oneOf(GEM_TYPES, 'An origin'), 'Accepted origins', {
      minItems: 1,
      maxItems: 10,
    }),
    currency_code: Type.Optional(
      text("Currency of all prices; the merchant's own unless given", 'EUR', {
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
    ratio_min: ratio('Smallest ratio of length to width', 1.35),
    ratio_max: ratio('Largest ratio of length to width', 1.55),
    merchant_template_filters: Type.Optional(
      object(
        'TemplateFilters',
        {
          group: filter('Only templates of this group', 'DEFAULT'),
          label: filter('Only templates with this label', 'IDEAL'),
          uuid: filter('Only this template', 'DEFAULT_IDEAL'),
        },
        {
          description:
            "Which templates to use; by default the merchant's own, or the predefined ones",
        },
      ),
    ),
    explain: Type.Optional(flag('Whether to explain why each stone was chosen', true)),
  },
  { title: 'CuratedSearch' },
)

const CuratedGemSchema = object('CuratedGem', {
  ...GemSchema.properties,
  merchant_template_position: integer('Position of the template that it was chosen for', 1),
  hold_merchant_uuid: tradeOnly(
    nullable(uuid('The caller, if it holds the stone; otherwise null')),
  ),
  is_pair: flag('Whether it is one of a matched pair', false),
  match: Type.Optional(
    object(
      'CurationMatch',
      {
        score: integer('How well it fits the grade; 100 is a perfect fit', 97),
        reasons: list(
          text('A sentence', 'Its 1.02 ct lie within -2 % and +8 % of 1 ct.'),
          'The reasons',
        ),
      },
      { description: 'Why it was chosen; only with `explain`' },
    ),
  ),
})

export const CuratedGems = list(
  CuratedGemSchema,
  'Ordered by position of the template, then by rank',
)
