import type { FastifyReply, FastifyRequest } from 'fastify'
import type { DocumentKind } from '../../documents/content.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import { getDocument, readPdf } from '../../orders/documents/download-document.ts'
import {
  SETTING_NAMES,
  type SettingName,
  type Settings,
  type SettingValue,
} from '../../orders/documents/settings.ts'
import type { OrderDocument } from '../../orders/order.ts'
import { isUnchanged } from '../response/etag.ts'
import type { Services } from '../services.ts'

/** The documents of an order, each with its own address. */
export function renderDocuments(
  documents: readonly OrderDocument[],
  publicUrl: string,
  prefix: '/api/v3' | '/api/operator',
) {
  return documents.map(({ order_uuid, kind, number, created_on }) => ({
    kind,
    number,
    url: `${publicUrl}${prefix}/orders/${order_uuid}/documents/${kind}/${number}.pdf`,
    created_on: isoWithOffset(created_on),
  }))
}

interface DocumentName {
  uuid: string
  kind: DocumentKind
  number?: string
}

/**
 * Sends the PDF. A document never changes, so a caller that has it gets 304 without its bytes being
 * read, or drawn.
 */
export async function sendDocument(
  { db, renderer }: Pick<Services, 'db' | 'renderer'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { uuid: order_uuid, kind, number }: DocumentName,
): Promise<FastifyReply> {
  const merchant_uuid = request.caller.merchant?.uuid
  const found = await getDocument(db, { order_uuid, kind, number, merchant_uuid })
  if (isUnchanged(request, reply, `"${found.uuid}"`)) return reply.code(304).send()
  const pdf = await readPdf(db, renderer, found.uuid)
  return reply
    .header('content-type', 'application/pdf')
    .header('content-disposition', `inline; filename="${found.number}.pdf"`)
    .send(pdf)
}

/** The settings as JSON has them: the logo as a data URL. */
export function renderSettings(settings: Settings): Record<SettingName, string | null> {
  const entries = SETTING_NAMES.map((name) => [name, renderValue(settings[name])])
  return Object.fromEntries(entries) as Record<SettingName, string | null>
}

const PNG_START = 0x89

function renderValue(value: SettingValue): string | null {
  if (!Buffer.isBuffer(value)) return value
  const type = value[0] === PNG_START ? 'png' : 'jpeg'
  return `data:image/${type};base64,${value.toString('base64')}`
}
