import { setTimeout as sleep } from 'node:timers/promises'
import type { onSendAsyncHookHandler, preHandlerAsyncHookHandler } from 'fastify'
import { raisePrice } from '../../../orders/sandbox/scenarios.ts'
import type { App } from '../../route.ts'
import type { Services } from '../../services.ts'

/** Longer than a client waits that has not thought of it. */
const SLOW_ORDER_MS = 5_000

/**
 * The scenarios of the sandbox that are about the call itself: TEST-SLOW is answered late, and
 * TEST-PRICE-UP is dearer after each call that asked for its price. The routes that take part
 * declare `scenarios`; in production this stage does not exist.
 */
export function registerScenarios(app: App, services: Services, slowOrderMs = SLOW_ORDER_MS): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.scenarios) return
    route.preHandler = [delayFor(slowOrderMs), route.preHandler ?? []].flat()
    route.onSend = [route.onSend ?? [], raiseAfter(services)].flat()
  })
}

/** Before the handler, so that nothing is locked and no connection is used meanwhile. */
function delayFor(ms: number): preHandlerAsyncHookHandler {
  return async ({ body }) => {
    if (skusIn(body).includes('TEST-SLOW')) await sleep(ms)
  }
}

/** The SKUs of an order, a quote or a hold; the body has the shape that its schema says. */
function skusIn(body: unknown): string[] {
  const { sku, line_items = [] } = (body ?? {}) as { sku?: string; line_items?: { sku: string }[] }
  return [...(sku === undefined ? [] : [sku]), ...line_items.map((line) => line.sku)]
}

/** Only for calls that name the stone: who browses the market changes nothing. */
function raiseAfter({ db, catchUp }: Services): onSendAsyncHookHandler {
  return async ({ body, params }, reply, payload) => {
    const isNamed = JSON.stringify([body, params]).includes('TEST-PRICE-UP')
    if (isNamed && reply.statusCode < 300) {
      await raisePrice(db)
      await catchUp()
    }
    return payload
  }
}
