import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../lib/refusal.ts'
import { isoWithOffset } from '../../lib/timestamps.ts'
import { newUuid } from '../../lib/uuid.ts'
import { countEnquiry, receiptOf, sendEnquiry } from '../../orders/enquiries.ts'
import { writeOnce } from '../request/idempotency.ts'
import { seesRetailOnly } from '../response/hidden-fields.ts'
import { type App, merchantOf, shopWindowWith } from '../route.ts'
import { EnquiryBody, EnquirySchema } from '../schemas/events/enquiry.ts'
import type { Services } from '../services.ts'

/** The form of a shop's page posts here, with its publishable key. */
export function registerEnquiries(app: App, { db }: Services): void {
  app.post(
    '/api/v3/enquiries',
    {
      config: { access: shopWindowWith('enquiries:write') },
      schema: {
        tags: ['Webhooks'],
        summary: "Passes on what a visitor of the merchant's shop asks about a product",
        description:
          'The merchant gets it as the event enquiry.create: in the list of events, by webhook ' +
          'and by e-mail. With a publishable key, 10 in ten minutes from one address; with any ' +
          'key, 300 in an hour. More are 429.',
        body: EnquiryBody,
        response: { 201: EnquirySchema },
      },
    },
    (request, reply) => {
      const { website, ...enquiry } = request.body
      const merchant = merchantOf(request)
      return writeOnce(
        db,
        request,
        reply,
        201,
        async (tx) => {
          const sender = senderOf(request)
          const waitSeconds = await countEnquiry(tx, sender)
          if (waitSeconds > 0) throw tooMany(reply, waitSeconds)
          // A program that fills every field learns nothing from the response.
          const receipt = website
            ? await receiptOf(tx, newUuid(), enquiry.sku)
            : await sendEnquiry(tx, merchant.uuid, enquiry)
          return { ...receipt, created_on: isoWithOffset(receipt.created_on) }
        },
        idempotencyOwnerOf(request),
      )
    },
  )
}

/** The address of a visitor; a shop's own server sends the enquiries of many. */
function senderOf(request: FastifyRequest) {
  const tokenUuid = request.caller.token.uuid
  return seesRetailOnly(request) ? { tokenUuid, address: request.clientAddress } : { tokenUuid }
}

/** Visitors choose keys for themselves: theirs must not take one that the merchant will use. */
function idempotencyOwnerOf(request: FastifyRequest): string {
  return seesRetailOnly(request) ? request.caller.token.uuid : merchantOf(request).uuid
}

function tooMany(reply: FastifyReply, seconds: number): Refusal {
  reply.header('retry-after', seconds)
  return new Refusal('rate_limited', `Too many enquiries; try again in ${seconds} s.`)
}
