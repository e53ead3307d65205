/** What the operator calls: imports, orders and overviews. */
import { bodyOf, type Send } from './caller.ts'
import { between, pick } from './chance.ts'

const ROWS = 1_500
/** A replacing file may leave out at most 40 % of the stock. */
const ROWS_LEFT_OUT_MAX = 300
const COLORS = ['D', 'E', 'F', 'G', 'H']
const CLARITIES = ['VVS1', 'VVS2', 'VS1', 'VS2', 'SI1']
const HEADER = 'Stock #,Shape,Weight,Color,Clarity,Price Per Carat'

/** A supplier's file. Each time, some prices differ and some stones are left out. */
function supplierFile(prefix: string): string {
  const first = Math.floor(between(0, ROWS_LEFT_OUT_MAX))
  const raised = Math.floor(between(1, 20))
  const rows = Array.from({ length: ROWS - first }, (_, row) => {
    const n = row + first
    const price = 3_000 + (n % 50) * 20 + (n % raised === 0 ? 15 : 0)
    const weight = (0.5 + (n % 150) / 100).toFixed(2)
    return `${prefix}-${n},Round,${weight},${COLORS[n % 5]},${CLARITIES[n % 5]},${price}`
  })
  return `${HEADER}\n${rows.join('\n')}\n`
}

export function importFile(send: Send, key: string, mode: 'update' | 'replace') {
  const query = `supplier=Soak+${mode}&mode=${mode}&accept_prices=true&file_name=soak.csv`
  return send(`import ${mode}`, {
    method: 'POST',
    path: `/api/operator/imports?${query}`,
    key,
    content: supplierFile(mode.toUpperCase()),
    type: 'text/csv',
  })
}

const READS = [
  '/api/operator/overview',
  '/api/operator/orders?limit=50',
  '/api/operator/imports?limit=20',
  '/api/operator/merchants',
  '/api/operator/suppliers',
  '/api/operator/inventory/conflicts',
]

/** Reads, and moves one of the orders on: what is cancelled or returned goes back into stock. */
export async function callAsOperator(send: Send, key: string, orders: readonly string[]) {
  await send('operator read', { path: pick(READS), key })
  const uuid = pick(orders)
  if (uuid === undefined) return
  const step = pick(['cancel', 'fulfill', 'pay', 'return', 'convert'])
  const body =
    step === 'fulfill' ? { tracking_company: 'Soak Express', tracking_number: 'SX-1' } : {}
  const path = `/api/operator/orders/${uuid}/${step}`
  await send(`order ${step}`, { method: 'POST', path, key, body })
}

const SUPPLIER = 'Soak+update'

/** Takes back the last import of a supplier, as an operator does after a wrong file. */
export async function undoImport(send: Send, key: string): Promise<void> {
  const path = '/api/operator/imports'
  const listed = await send('operator read', { path: `${path}?supplier=${SUPPLIER}`, key })
  const last = bodyOf<{ imports: { uuid: string }[] }>(listed)?.imports[0]
  if (last) await send('import undo', { method: 'POST', path: `${path}/${last.uuid}/undo`, key })
}
