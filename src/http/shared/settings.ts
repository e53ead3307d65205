import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { type Address, addAddress } from '../../merchants/address-store.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { addTemplate, type Template } from '../../merchants/template-store.ts'
import type { Margin } from '../../pricing/margin.ts'
import { setMargins } from '../../pricing/set-margins.ts'
import { write } from '../request/acting.ts'
import { writeOnce } from '../request/idempotency.ts'
import type { MarginsBody } from '../schemas/margins.ts'
import type { AddressBody, TemplateBody } from '../schemas/settings.ts'
import type { Services } from '../services.ts'

/**
 * A merchant's addresses, templates and margins. The merchant changes its own, the operator those
 * of any merchant; both do it by these functions, and all versions render the rows alike.
 */
export function createAddress(
  { db }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  merchantUuid: string,
  body: Static<typeof AddressBody>,
) {
  return writeOnce(db, request, reply, 201, async (tx) => {
    const { uuid } = await getMerchant(tx, merchantUuid)
    return renderAddress(await addAddress(tx, uuid, body))
  })
}

export function createTemplate(
  { db }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  merchantUuid: string,
  body: Static<typeof TemplateBody>,
) {
  return writeOnce(db, request, reply, 201, async (tx) => {
    const { uuid } = await getMerchant(tx, merchantUuid)
    return renderTemplate(await addTemplate(tx, uuid, body))
  })
}

/** Replaces the whole table of margin tiers for one kind of product. */
export function replaceMarginTable(
  services: Services,
  request: FastifyRequest,
  merchantUuid: string,
  body: Static<typeof MarginsBody>,
) {
  const written = write(services.db, request, async (tx) => {
    const { uuid } = await getMerchant(tx, merchantUuid)
    const margins = await setMargins(tx, uuid, body)
    const { margin_mode } = await getMerchant(tx, uuid)
    return { margin_mode, profit_margins: margins.map(renderMargin) }
  })
  return afterNewPrices(services, written)
}

/** Awaits a write that changes prices, and then the indexes: the next search has the new prices. */
export async function afterNewPrices<T>({ catchUp }: Services, write: Promise<T>): Promise<T> {
  const result = await write
  await catchUp()
  return result
}

export function renderAddress({ created_on: _created, ...address }: Address) {
  return address
}

export function renderTemplate(template: Template) {
  const { uuid, merchant_uuid, group, position, label, color, clarity, grade_name, order } =
    template
  return { uuid, merchant_uuid, group, position, label, color, clarity, grade_name, order }
}

export function renderMargin(margin: Margin) {
  return {
    uuid: margin.uuid,
    merchant_uuid: margin.merchant_uuid,
    lab_percent: Number(margin.lab_percent),
    mined_percent: Number(margin.mined_percent),
    weight_min: Number(margin.weight_min),
    weight_max: Number(margin.weight_max),
    price_min: Number(margin.price_min),
    price_max: Number(margin.price_max),
    weight_or_price: margin.weight_or_price,
  }
}
