/**
 * What an invoice may charge beside the goods: what it costs to get them there, what the state
 * takes, and what the operator asks for its work or lets off. A discount is a positive amount that
 * is subtracted.
 */
export const CHARGE_KINDS = [
  /** To the address of the order. */
  'shipping',
  /** On the way. */
  'insurance',
  /** Sales tax or value added tax. */
  'tax',
  /** Such as for a payment by card, or for a certificate. */
  'fee',
  /** Lowers what is to be paid. */
  'discount',
] as const

export type ChargeKind = (typeof CHARGE_KINDS)[number]

/**
 * Whether a charge raises what is to be paid or lowers it: the ledger has amounts with a sign, and
 * callers send and read amounts without one.
 */
export function signOf(kind: ChargeKind): 1n | -1n {
  return kind === 'discount' ? -1n : 1n
}
