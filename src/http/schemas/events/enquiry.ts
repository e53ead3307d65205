import { Type } from 'typebox'
import { MAIL_ADDRESS_LENGTH_MAX } from '../../../lib/smtp-url.ts'
import { inlineObject, NOT_BLANK, object, text, timestamp, uuid } from '../fields.ts'

/** A visitor's question is a few sentences. */
const MESSAGE_LENGTH_MAX = 2_000

export const EnquiryBody = inlineObject(
  {
    sku: text('The stone, parcel or variant that it is about', 'K7Q2M9X4TB', {
      minLength: 1,
      maxLength: 100,
    }),
    email: text('Where the visitor gets the answer', 'visitor@mail.example', {
      format: 'email',
      maxLength: MAIL_ADDRESS_LENGTH_MAX,
    }),
    name: text('Who asks', 'A visitor', { pattern: NOT_BLANK, maxLength: 200 }),
    message: text('What the visitor asks', 'Can I see this stone in your shop on Saturday?', {
      pattern: NOT_BLANK,
      maxLength: MESSAGE_LENGTH_MAX,
    }),
    website: Type.Optional(
      text(
        'Leave it empty, and hide the field from people: what a program writes here is accepted ' +
          'and not passed on',
        '',
        { maxLength: 500 },
      ),
    ),
  },
  { title: 'NewEnquiry' },
)

export const EnquirySchema = object('Enquiry', {
  uuid: uuid('UUID of the enquiry; enquiry_uuid of its event'),
  sku: text('The product that it is about', 'K7Q2M9X4TB'),
  created_on: timestamp('When it was sent'),
})
