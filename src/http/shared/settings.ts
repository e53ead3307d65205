import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { Db, Tx } from '../../database/open.ts'
import {
  type Address,
  addAddress,
  changeAddress,
  getAddress,
  removeAddress,
} from '../../merchants/address-store.ts'
import { getMerchant, lockMerchant } from '../../merchants/merchant-store.ts'
import {
  addTemplate,
  changeTemplate,
  getTemplate,
  removeTemplate,
  type Template,
} from '../../merchants/template-store.ts'
import type { Margin } from '../../pricing/margin.ts'
import { listMargins } from '../../pricing/margin-store.ts'
import { setMargins } from '../../pricing/set-margins.ts'
import { writeOnce } from '../request/idempotency.ts'
import { withEtag, writeIfMatch } from '../request/if-match.ts'
import type { MarginsBody } from '../schemas/margins.ts'
import type {
  AddressBody,
  AddressChange,
  TemplateBody,
  TemplateChange,
} from '../schemas/settings.ts'
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
    return withEtag(reply, renderAddress(await addAddress(tx, uuid, body)))
  })
}

/** The address as its GET shows it, with its merchant locked as every change of it does. */
function lockedAddress(merchantUuid: string, uuid: string) {
  return async (tx: Tx) => {
    await lockMerchant(tx, merchantUuid)
    return renderAddress(await getAddress(tx, merchantUuid, uuid))
  }
}

export async function patchAddress(
  { db }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  what: { merchantUuid: string; uuid: string; change: Static<typeof AddressChange> },
) {
  const { merchantUuid, uuid, change } = what
  const changed = await writeIfMatch(db, request, lockedAddress(merchantUuid, uuid), (tx) =>
    changeAddress(tx, merchantUuid, uuid, change),
  )
  return withEtag(reply, renderAddress(changed))
}

export async function deleteAddress(
  { db }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  what: { merchantUuid: string; uuid: string },
) {
  const { merchantUuid, uuid } = what
  await writeIfMatch(db, request, lockedAddress(merchantUuid, uuid), (tx) =>
    removeAddress(tx, merchantUuid, uuid),
  )
  return reply.code(204).send(null)
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
    return withEtag(reply, renderTemplate(await addTemplate(tx, uuid, body)))
  })
}

/** The template as its GET shows it, with its merchant locked as every change of it does. */
function lockedTemplate(merchantUuid: string, uuid: string) {
  return async (tx: Tx) => {
    await lockMerchant(tx, merchantUuid)
    return renderTemplate(await getTemplate(tx, merchantUuid, uuid))
  }
}

export async function patchTemplate(
  { db }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  what: { merchantUuid: string; uuid: string; change: Static<typeof TemplateChange> },
) {
  const { merchantUuid, uuid, change } = what
  const changed = await writeIfMatch(db, request, lockedTemplate(merchantUuid, uuid), (tx) =>
    changeTemplate(tx, merchantUuid, uuid, change),
  )
  return withEtag(reply, renderTemplate(changed))
}

export async function deleteTemplate(
  { db }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  what: { merchantUuid: string; uuid: string },
) {
  const { merchantUuid, uuid } = what
  await writeIfMatch(db, request, lockedTemplate(merchantUuid, uuid), (tx) =>
    removeTemplate(tx, merchantUuid, uuid),
  )
  return reply.code(204).send(null)
}

/** Replaces the whole table of margin tiers for one kind of product. */
export function replaceMarginTable(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  merchantUuid: string,
  body: Static<typeof MarginsBody>,
) {
  const current = async (tx: Tx) => {
    await lockMerchant(tx, merchantUuid)
    return marginTable(tx, merchantUuid)
  }
  const written = writeIfMatch(services.db, request, current, async (tx) => {
    const { uuid } = await getMerchant(tx, merchantUuid)
    const margins = await setMargins(tx, uuid, body)
    const whole = await marginTable(tx, uuid)
    withEtag(reply, whole)
    return { margin_mode: whole.margin_mode, profit_margins: margins.map(renderMargin) }
  })
  return afterNewPrices(services, written)
}

/** All margins of a merchant. Their ETag is what a replacement of a table is compared with. */
export async function marginTable(db: Db | Tx, merchantUuid: string) {
  const { margin_mode, uuid } = await getMerchant(db, merchantUuid)
  const margins = await listMargins(db, uuid)
  return { margin_mode, profit_margins: margins.map(renderMargin) }
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
