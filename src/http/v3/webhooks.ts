import { Type } from 'typebox'
import type { Db, Tx } from '../../database/open.ts'
import type { WebhookEndpoint } from '../../events/webhook.ts'
import { ROTATION_HOURS } from '../../events/webhook.ts'
import { listDeliveries, replayDelivery } from '../../events/webhook-delivery-store.ts'
import {
  addEndpoint,
  getEndpoint,
  listEndpoints,
  lockEndpoint,
  removeEndpoint,
  rotateSecret,
  updateEndpoint,
} from '../../events/webhook-store.ts'
import { writeOnce } from '../request/idempotency.ts'
import { withEtag, writeIfMatch } from '../request/if-match.ts'
import { type App, merchantOf, merchantWith } from '../route.ts'
import {
  DeliverySchema,
  WebhookBody,
  WebhookPatch,
  WebhookSchema,
  WebhookWithSecretSchema,
} from '../schemas/events/webhook.ts'
import { inlineObject, uuid } from '../schemas/fields.ts'
import { PageQuery, pageFrom, pageOf, Removed } from '../schemas/page.ts'
import type { Services } from '../services.ts'
import { renderDelivery, renderEndpoint, renderWithSecret } from '../shared/webhook-rendering.ts'

const reading = { access: merchantWith('settings:read') } as const
const writing = { access: merchantWith('settings:write') } as const
/** Of one webhook: it has an ETag. */
const single = { hasEtag: true } as const
const tags = ['Webhooks']
const params = inlineObject({ uuid: uuid('UUID of the webhook') })

/** Where a merchant's events are sent. Delivery itself runs in the background. */
export function registerWebhooksV3(app: App, { db, secrets, webhooks }: Services): void {
  const { allowedHosts } = webhooks
  app.get(
    '/api/v3/webhooks',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: "Lists the merchant's webhooks, without their secrets",
        querystring: PageQuery,
        response: { 200: pageOf('WebhookPage', 'webhooks', WebhookSchema) },
      },
    },
    async (request) => {
      const endpoints = await listEndpoints(db, merchantOf(request).uuid)
      return pageFrom('webhooks', endpoints.map(renderEndpoint), request.query)
    },
  )

  app.post(
    '/api/v3/webhooks',
    {
      config: { ...writing, ...single, answersSecret: true },
      schema: {
        tags,
        summary: 'Registers a webhook, and returns its secret only this once',
        body: WebhookBody,
        response: { 201: WebhookWithSecretSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 201, async (tx) => {
        const { uuid: owner } = merchantOf(request)
        const added = await addEndpoint(tx, secrets, owner, request.body, allowedHosts)
        withEtag(reply, renderEndpoint(added.endpoint))
        return renderWithSecret(added)
      }),
  )

  app.get(
    '/api/v3/webhooks/:uuid',
    {
      config: { ...reading, ...single, conditional: true },
      schema: { tags, summary: 'Returns one webhook', params, response: { 200: WebhookSchema } },
    },
    async (request, reply) => withEtag(reply, renderEndpoint(await ownEndpoint(request))),
  )

  app.patch(
    '/api/v3/webhooks/:uuid',
    {
      config: { ...writing, ...single },
      schema: {
        tags,
        summary: 'Changes a webhook; disabled pauses and resumes it',
        params,
        body: WebhookPatch,
        response: { 200: WebhookSchema },
      },
    },
    async (request, reply) => {
      const endpoint = await ownEndpoint(request)
      const changed = await writeIfMatch(db, request, lockedEndpoint(endpoint), (tx) =>
        updateEndpoint(tx, endpoint, request.body, allowedHosts),
      )
      return withEtag(reply, renderEndpoint(changed))
    },
  )

  app.delete(
    '/api/v3/webhooks/:uuid',
    {
      config: { ...writing, ...single },
      schema: {
        tags,
        summary: 'Deletes a webhook and its delivery log',
        params,
        response: { 204: Removed },
      },
    },
    async (request, reply) => {
      const endpoint = await ownEndpoint(request)
      await writeIfMatch(db, request, lockedEndpoint(endpoint), (tx) =>
        removeEndpoint(tx, endpoint.uuid),
      )
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/api/v3/webhooks/:uuid/rotate',
    {
      config: { ...writing, ...single, answersSecret: true },
      schema: {
        tags,
        summary:
          'Creates a new secret; messages are also signed with the previous one for ' +
          `${ROTATION_HOURS} hours`,
        params,
        response: { 200: WebhookWithSecretSchema },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 200, async (tx) => {
        const { uuid: own } = await getEndpoint(tx, request.params.uuid, merchantOf(request).uuid)
        const rotated = await rotateSecret(tx, secrets, own)
        withEtag(reply, renderEndpoint(rotated.endpoint))
        return renderWithSecret(rotated)
      }),
  )
  registerDeliveries(app, db, ownEndpoint)

  function ownEndpoint(request: Parameters<typeof merchantOf>[0] & { params: { uuid: string } }) {
    return getEndpoint(db, request.params.uuid, merchantOf(request).uuid)
  }
}

function lockedEndpoint({ uuid: id }: WebhookEndpoint) {
  return async (tx: Tx) => renderEndpoint(await lockEndpoint(tx, id))
}

function registerDeliveries(
  app: App,
  db: Db,
  ownEndpoint: (
    request: Parameters<typeof merchantOf>[0] & { params: { uuid: string } },
  ) => Promise<WebhookEndpoint>,
): void {
  app.get(
    '/api/v3/webhooks/:uuid/deliveries',
    {
      config: { ...reading, conditional: true },
      schema: {
        tags,
        summary: 'Lists the deliveries of the last 30 days with their attempts, newest first',
        params,
        querystring: PageQuery,
        response: { 200: pageOf('WebhookDeliveryPage', 'deliveries', DeliverySchema) },
      },
    },
    async (request) => {
      const { limit, offset } = request.query
      const endpoint = await ownEndpoint(request)
      const { deliveries, total } = await listDeliveries(db, endpoint.uuid, request.query)
      return { deliveries: deliveries.map(renderDelivery), total, offset, limit }
    },
  )

  app.post(
    '/api/v3/webhooks/:uuid/deliveries/:delivery_uuid/replay',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Sends a delivery again with the same webhook-id',
        params: inlineObject({ ...params.properties, delivery_uuid: uuid('UUID of the delivery') }),
        response: { 202: Type.Null({ description: 'The delivery is queued' }) },
      },
    },
    (request, reply) =>
      writeOnce(db, request, reply, 202, async (tx) => {
        const { uuid, delivery_uuid } = request.params
        const endpoint = await getEndpoint(tx, uuid, merchantOf(request).uuid)
        await replayDelivery(tx, endpoint, delivery_uuid)
        return null
      }),
  )
}
