/** What an invoice may charge beside the goods. A discount is a positive amount that is subtracted. */
export const CHARGE_KINDS = ['shipping', 'insurance', 'tax', 'fee', 'discount'] as const
export type ChargeKind = (typeof CHARGE_KINDS)[number]
