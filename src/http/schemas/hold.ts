import { HOLD_MINUTES_MAX } from '../../gems/holds.ts'
import { inlineObject, number, object, text, timestamp, uuid } from './fields.ts'

export const HoldBody = inlineObject(
  {
    sku: text('The stone', 'PV-7Q2M4K', { minLength: 1, maxLength: 100 }),
    minutes: number('How long; fractions are allowed', 60, {
      exclusiveMinimum: 0,
      maximum: HOLD_MINUTES_MAX,
      default: 60,
    }),
  },
  { title: 'NewHold' },
)

export const HoldSchema = object('Hold', {
  uuid: uuid('The hold'),
  sku: text('The stone', 'PV-7Q2M4K'),
  merchant_uuid: uuid('Who holds it'),
  created_on: timestamp('When it was made'),
  expires_on: timestamp('When it ends by itself'),
})
