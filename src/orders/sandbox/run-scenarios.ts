import { sql } from 'kysely'
import type { Db } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { Refusal } from '../../lib/refusal.ts'
import { OPERATOR } from '../order-life.ts'
import type { ScenarioSku } from '../placing/plan-order.ts'
import type { FindSubstitutes } from '../placing/substitutes.ts'
import { declineLines } from '../steps/confirm-lines.ts'
import { fulfillOrder } from '../steps/fulfill-order.ts'
import { createScenarios } from './scenarios.ts'

interface ScenarioDeps {
  findSubstitutes: FindSubstitutes
  publicUrl: string
}

/** A line of an order that its scenario has not ended yet. */
interface OpenLine {
  order_uuid: string
  uuid: string
  sku: ScenarioSku
  quantity: number
  supplier_id: number
}

/** How a sandbox ships. */
export const SANDBOX_SHIPMENT = {
  tracking_company: 'Sandbox Express',
  tracking_number: 'TEST-TRACKING-1',
} as const

/** More orders than a client rehearses in a second; the others follow in the next. */
const LINES_AT_ONCE_MAX = 100

/**
 * What happens in a sandbox a moment after somebody ordered: the supplier declines TEST-DECLINED,
 * and TEST-SHIPS ships. Every node runs it all the time; the steps themselves lock the order, so
 * that one of them takes effect, and what a crash has left is done by the next run.
 */
export async function runScenarios(db: Db, deps: ScenarioDeps): Promise<void> {
  await createScenarios(db)
  for (const line of await listOpenLines(db)) {
    await takeStep(db, line, deps).catch(ignoreRefusal)
  }
}

async function listOpenLines(db: Db): Promise<OpenLine[]> {
  const { rows } = await sql<OpenLine>`
    select order_uuid, uuid, sku, open_quantity as quantity, supplier_id from order_line
    where sku in ('TEST-DECLINED', 'TEST-SHIPS') and open_quantity > 0
    order by created_on desc limit ${LINES_AT_ONCE_MAX}`.execute(db)
  return rows
}

async function takeStep(db: Db, line: OpenLine, deps: ScenarioDeps): Promise<void> {
  const { order_uuid, uuid, sku, quantity, supplier_id } = line
  await inTransaction(db, async (tx) => {
    if (sku === 'TEST-SHIPS') {
      const request = { ...SANDBOX_SHIPMENT, line_items: [{ uuid, quantity }] }
      await fulfillOrder(tx, order_uuid, request, OPERATOR)
      return
    }
    const request = { line_item_uuids: [uuid], reason: 'The stone was just sold elsewhere.' }
    const supplier = { role: 'supplier', supplier_id, ships: false } as const
    await declineLines(tx, order_uuid, request, supplier, deps)
  })
}

/** Another node was faster, or the order must be paid before it ships. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}
