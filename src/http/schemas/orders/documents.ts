import { Type } from 'typebox'
import { DOCUMENT_KINDS, PAPERS } from '../../../documents/content.ts'
import {
  LOGO_BYTES_MAX,
  SETTING_NAMES,
  type SettingName,
  TEXT_SETTINGS,
} from '../../../orders/documents/settings.ts'
import { inlineObject, nullable, object, oneOf, text, timestamp, uuid } from '../fields.ts'

const kind = oneOf(DOCUMENT_KINDS, 'Kind of document')

export const OrderDocumentSchema = object('OrderDocument', {
  kind,
  number: text('Number of the document', 'INV-2026-000001'),
  url: text(
    'Address of the PDF; the call needs a token',
    'https://market.example/api/v3/orders/0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90/documents/' +
      'invoice/INV-2026-000001.pdf',
  ),
  created_on: timestamp('When it was issued'),
})

const order = uuid('UUID of the order')
export const DocumentParams = inlineObject({ uuid: order, kind })
export const NumberedDocumentParams = inlineObject({
  uuid: order,
  kind,
  number: text('Number of the document', 'INV-2026-000001', { maxLength: 40 }),
})

/** The bytes of a PDF, which no JSON schema describes. */
export const PdfSchema = {
  description: 'The document. Its bytes never change, so its ETag does not either.',
  content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
}

/** Four bytes for three, and what a data URL has before them. */
const LOGO_LENGTH_MAX = Math.ceil(LOGO_BYTES_MAX / 3) * 4 + 40

function settingSchema(name: SettingName) {
  const setting = TEXT_SETTINGS.get(name)
  if (setting) {
    const { description, example, lengthMax, linesMax } = setting
    const lines = linesMax === 1 ? 'one line' : `at most ${linesMax} lines`
    return text(`${description}; ${lines}`, example, { maxLength: lengthMax })
  }
  if (name === 'document.paper') return oneOf(PAPERS, 'Paper of new documents; A4 unless set')
  return text(
    'Logo of the seller, a PNG or JPEG file as a data URL',
    'data:image/png;base64,iVBORw0KGgo=',
    { maxLength: LOGO_LENGTH_MAX, pattern: '^data:image/(png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$' },
  )
}

const settings = SETTING_NAMES.map((name) => [name, nullable(settingSchema(name))] as const)

export const SettingsSchema = object('Settings', Object.fromEntries(settings), {
  description: 'Null where nothing is set',
})

/** Every name may be left out; null clears a setting. */
export const SettingsBody = inlineObject(
  Object.fromEntries(settings.map(([name, schema]) => [name, Type.Optional(schema)])),
  { title: 'SettingsChange' },
)
