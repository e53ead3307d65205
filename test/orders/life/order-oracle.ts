/**
 * The life of orders and what they cost, by hand and without SQL: every unit is an object that says
 * where it is, and money is integers. Compared with the service in `histories.test.ts`.
 */
export interface OracleProduct {
  sku: string
  single: boolean
  memo: boolean
  returnable: boolean
  /** Which of the suppliers lists it; the second one confirms its orders. */
  supplier: number
  /** 1/10,000 US dollars. */
  price: bigint
  state: 'available' | 'sold' | 'memo' | 'gone'
  quantity: number
}

type Place = 'waiting' | 'shipped' | 'cancelled' | 'returned'

interface OracleLine {
  uuid: string
  product: OracleProduct
  answer: 'none' | 'accepted' | 'confirmed' | 'declined'
  units: { at: Place; everShipped: boolean }[]
}

export interface OracleReturn {
  uuid: string
  order: OracleOrder
  line: OracleLine
  quantity: number
  status: 'requested' | 'approved' | 'rejected' | 'received'
}

export type Outcome = 'done' | 'not_found' | 'invalid' | 'wrong_state' | 'too_late' | 'no_return'
export type Role = 'merchant' | 'stranger' | 'operator' | 'supplier 0' | 'supplier 1'

/** Which units a step is about: all of the order, or some of one line. */
export interface Target {
  line?: number
  count?: number
}

export class OracleOrder {
  lines: OracleLine[] = []
  events: string[] = []
  returns: OracleReturn[] = []
  /** Cents. */
  charges = 0n
  payments = 0n
  hasPayment = false
  isInvoiced = false
  readonly uuid: string
  readonly merchant: number
  type: 'invoice' | 'memo'

  constructor(uuid: string, merchant: number, type: 'invoice' | 'memo') {
    this.uuid = uuid
    this.merchant = merchant
    this.type = type
  }

  get units() {
    return this.lines.flatMap(({ units }) => units)
  }
  get hasShipped() {
    return this.units.some(({ everShipped }) => everShipped)
  }
  get isKept() {
    return this.units.some(({ at }) => at === 'waiting' || at === 'shipped')
  }

  /** The goods that the merchant has or will have, rounded half up to cents. */
  get value(): bigint {
    const sum = this.lines.reduce(
      (total, { product, units }) =>
        total + product.price * BigInt(units.filter(({ at }) => isKept(at)).length),
      0n,
    )
    return (sum + 50n) / 100n
  }

  /** An order that was cancelled before anything shipped owes nothing. */
  get balance(): bigint {
    if (this.type === 'memo') return 0n
    const owed = this.isKept || this.hasShipped ? this.value + this.charges : 0n
    return owed - this.payments
  }

  get isPaid(): boolean {
    const isSold = this.isKept || this.hasShipped || this.hasPayment
    return this.type === 'invoice' && this.balance <= 0n && isSold
  }

  get status(): string | null {
    const isShipped = this.hasShipped && this.units.every(({ at }) => at !== 'waiting')
    if (this.isKept) return isShipped && this.isPaid ? 'closed' : null
    return this.units.some(({ at }) => at === 'returned') ? 'returned' : 'cancelled'
  }

  get fulfillment(): string | null {
    if (!this.hasShipped) return null
    return this.units.some(({ at }) => at === 'waiting') ? 'partial' : 'fulfilled'
  }

  get confirmation(): string | null {
    const answers = this.lines
      .filter(({ answer, units }) => answer !== 'none' || units.some(({ at }) => at === 'waiting'))
      .map(({ answer }) => (answer === 'accepted' ? 'confirmed' : answer))
    if (answers.every((answer) => answer === 'none')) return null
    return answers.every((answer) => answer === answers[0]) ? answers[0] : 'partial'
  }

  private linesFor(role: Role, { line }: Target): OracleLine[] | Outcome {
    if (role === 'stranger') return 'not_found'
    const supplier = role.startsWith('supplier') ? Number(role.at(-1)) : undefined
    const own = this.lines.filter(
      ({ product }) => supplier === undefined || product.supplier === supplier,
    )
    if (own.length === 0) return 'not_found'
    if (line === undefined) return own
    const named = this.lines[line % this.lines.length]
    return own.includes(named) ? [named] : 'invalid'
  }

  /** Confirms or declines whole lines. */
  answer(role: Role, target: Target, isConfirmed: boolean): Outcome {
    const lines = this.linesFor(role, target)
    if (typeof lines === 'string') {
      // Without any line that waits, that is said before a wrong line.
      return lines === 'invalid' && this.answerable(role, isConfirmed) === 0 ? 'wrong_state' : lines
    }
    const possible = lines.filter((line) => isAnswerable(line, isConfirmed))
    if (possible.length === 0) return 'wrong_state'
    for (const line of possible) {
      line.answer = isConfirmed ? 'confirmed' : 'declined'
      if (isConfirmed) continue
      for (const unit of line.units.filter(({ at }) => at === 'waiting')) unit.at = 'cancelled'
      if (line.product.single) line.product.state = 'gone'
    }
    this.events.push(isConfirmed ? 'order.confirm' : 'order.line.decline')
    return 'done'
  }

  private answerable(role: Role, isConfirmed: boolean): number {
    const own = this.linesFor(role, {})
    if (typeof own === 'string') return 0
    return own.filter((line) => isAnswerable(line, isConfirmed)).length
  }

  fulfill(role: Role, { line, count = 1 }: Target): Outcome {
    const lines = this.linesFor(role, { line })
    const own = this.linesFor(role, {})
    if (typeof own === 'string') return own
    const isAnyLeft = own.some((each) => waitingOf(each).length > 0)
    if (!isAnyLeft) return 'wrong_state'
    if (typeof lines === 'string') return lines
    if (line !== undefined && waitingOf(lines[0]).length < count) return 'wrong_state'
    const shipped = lines.filter((each) => waitingOf(each).length > 0)
    if (shipped.some(({ answer }) => answer === 'none')) this.events.push('order.confirm')
    for (const each of shipped) {
      each.answer = 'confirmed'
      const units = waitingOf(each).slice(0, line === undefined ? undefined : count)
      for (const unit of units) Object.assign(unit, { at: 'shipped', everShipped: true })
    }
    if (this.type === 'invoice') this.isInvoiced = true
    this.events.push('order.fulfillments.create')
    return 'done'
  }

  cancel(role: 'merchant' | 'stranger' | 'operator', { line, count = 1 }: Target): Outcome {
    if (role === 'stranger') return 'not_found'
    const lines = line === undefined ? this.lines : [this.lines[line % this.lines.length]]
    if (role === 'merchant') {
      const isLate = ({ answer, units }: OracleLine) =>
        answer === 'confirmed' && units.some(({ at }) => at === 'waiting')
      if (this.hasShipped || lines.some(isLate)) return 'too_late'
    }
    if (this.lines.every((each) => waitingOf(each).length === 0)) return 'wrong_state'
    if (line === undefined && this.hasShipped) return 'wrong_state'
    if (line !== undefined && waitingOf(lines[0]).length < count) return 'wrong_state'
    for (const each of lines) {
      const units = waitingOf(each).slice(0, line === undefined ? undefined : count)
      for (const unit of units) putBack(each.product, unit, 'cancelled')
    }
    this.events.push('order.cancel')
    return 'done'
  }

  /** Shipped units count first. */
  returnMemo({ line, count = 1 }: Target): Outcome {
    if (this.type !== 'memo' || !this.isKept) return 'wrong_state'
    const lines = line === undefined ? this.lines : [this.lines[line % this.lines.length]]
    const keptOf = ({ units }: OracleLine) =>
      units
        .filter(({ at }) => isKept(at))
        .sort((a, b) => Number(b.at === 'shipped') - Number(a.at === 'shipped'))
    if (line !== undefined && keptOf(lines[0]).length < count) return 'wrong_state'
    for (const each of lines) {
      const units = keptOf(each).slice(0, line === undefined ? undefined : count)
      for (const unit of units) putBack(each.product, unit, 'returned')
    }
    this.events.push('order.memo.return')
    return 'done'
  }

  convert(): Outcome {
    if (this.type !== 'memo' || !this.isKept) return 'wrong_state'
    this.type = 'invoice'
    this.isInvoiced = true
    for (const { product, units } of this.lines) {
      if (product.single && units.some(({ at }) => isKept(at))) product.state = 'sold'
    }
    this.events.push('order.memo.convert')
    return 'done'
  }

  extend(): Outcome {
    if (this.type !== 'memo' || !this.isKept) return 'wrong_state'
    this.events.push('order.memo.extend')
    return 'done'
  }

  /** Pays the balance, or a part of it. */
  pay(cents?: bigint): Outcome {
    if (this.type === 'memo') return 'wrong_state'
    if (cents === undefined && this.balance <= 0n) return 'wrong_state'
    if (cents !== undefined && cents > this.balance) return 'invalid'
    this.payments += cents ?? this.balance
    this.hasPayment = true
    this.events.push('order.pay')
    return 'done'
  }

  charge(cents: bigint): Outcome {
    if (this.type === 'memo' || this.isInvoiced || !this.isKept) return 'wrong_state'
    if (cents !== this.charges) this.events.push('order.charge')
    this.charges = cents
    return 'done'
  }

  requestReturn(role: 'merchant' | 'stranger', uuid: () => string, target: Target): Outcome {
    const { line = 0, count = 1 } = target
    if (role === 'stranger') return 'not_found'
    const asked = this.lines[line % this.lines.length]
    const open = this.returns
      .filter((each) => each.line === asked && ['requested', 'approved'].includes(each.status))
      .reduce((sum, { quantity }) => sum + quantity, 0)
    const withBuyer = asked.units.filter(({ at }) => at === 'shipped').length
    if (this.type === 'memo' || !asked.product.returnable || withBuyer - open < count) {
      return 'no_return'
    }
    this.returns.push({
      uuid: uuid(),
      order: this,
      line: asked,
      quantity: count,
      status: 'requested',
    })
    this.events.push('order.return.request')
    return 'done'
  }

  decideReturn(given: OracleReturn, verb: 'approve' | 'reject' | 'receive'): Outcome {
    const from = {
      approve: ['requested'],
      reject: ['requested', 'approved'],
      receive: ['approved'],
    }
    if (!from[verb].includes(given.status)) return 'wrong_state'
    given.status = ({ approve: 'approved', reject: 'rejected', receive: 'received' } as const)[verb]
    this.events.push(`order.return.${verb}`)
    if (verb !== 'receive') return 'done'
    const units = given.line.units.filter(({ at }) => at === 'shipped').slice(0, given.quantity)
    for (const unit of units) putBack(given.line.product, unit, 'returned')
    return 'done'
  }
}

const isKept = (at: Place) => at === 'waiting' || at === 'shipped'
const waitingOf = ({ units }: OracleLine) => units.filter(({ at }) => at === 'waiting')

function isAnswerable(line: OracleLine, isConfirmed: boolean): boolean {
  const isOpen = line.answer === 'none' || (!isConfirmed && line.answer === 'accepted')
  return isOpen && waitingOf(line).length > 0
}

function putBack(product: OracleProduct, unit: { at: Place }, at: Place): void {
  unit.at = at
  product.quantity++
  if (product.single) product.state = 'available'
}
