import { digitsFrom } from '../../../lib/money.ts'
import {
  addChargeRule,
  listChargeRules,
  removeChargeRule,
} from '../../../orders/ledger/rule-store.ts'
import { write } from '../../request/acting.ts'
import { writeOnce } from '../../request/idempotency.ts'
import { type App, operatorWith } from '../../route.ts'
import { inlineObject, uuid } from '../../schemas/fields.ts'
import { ChargeRuleBody, ChargeRuleSchema } from '../../schemas/orders/account.ts'
import { ListQuery, pageFrom, pageOf, Removed } from '../../schemas/page.ts'
import type { Services } from '../../services.ts'
import { renderRule } from '../../shared/account.ts'

const reading = { access: operatorWith('settings:read'), conditional: true } as const
const writing = { access: operatorWith('settings:write') } as const
const tags = ['Orders']

/** Charges that orders get by themselves when they are placed. */
export function registerChargeRules(app: App, { db }: Services): void {
  app.get(
    '/api/operator/charge_rules',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Lists the rules that add charges to orders, oldest first',
        querystring: ListQuery,
        response: { 200: pageOf('ChargeRules', 'charge_rules', ChargeRuleSchema) },
      },
    },
    async ({ query }) =>
      pageFrom('charge_rules', (await listChargeRules(db)).map(renderRule), query),
  )

  app.post(
    '/api/operator/charge_rules',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Adds a rule; it holds for orders that are placed from now on',
        description:
          'A rule names an amount, a percentage of the goods, or both. An order gets the charges ' +
          'of its shipping country; a rule without a country holds for countries that have no ' +
          'rule of its kind. A memo gets charges when it is converted.',
        body: ChargeRuleBody,
        response: { 201: ChargeRuleSchema },
      },
    },
    (request, reply) => {
      const { amount, ...rule } = request.body
      return writeOnce(db, request, reply, 201, async (tx) => {
        const cents = typeof amount === 'number' ? Math.round(amount * 100) : undefined
        const digits = cents === undefined ? null : digitsFrom(cents)
        return renderRule(await addChargeRule(tx, { ...rule, amount: digits }))
      })
    },
  )

  app.delete(
    '/api/operator/charge_rules/:uuid',
    {
      config: writing,
      schema: {
        tags,
        summary: 'Removes a rule; orders keep the charges that they have',
        params: inlineObject({ uuid: uuid('UUID of the rule') }),
        response: { 204: Removed },
      },
    },
    async (request, reply) => {
      await write(db, request, (tx) => removeChargeRule(tx, request.params.uuid))
      return reply.code(204).send(null)
    },
  )
}
