import { recordEvent } from '../events/events.ts'
import type { RecordHoldEvent } from '../gems/holds.ts'
import { isoWithOffset } from '../lib/timestamps.ts'

/** What happens to a hold stands in its merchant's event log, and goes out by webhook. */
export const recordHoldEvent: RecordHoldEvent = (tx, event_type, hold) =>
  recordEvent(tx, {
    merchant_uuid: hold.merchant_uuid,
    event_type,
    event_data: {
      hold_uuid: hold.uuid,
      sku: hold.sku,
      created_on: isoWithOffset(hold.created_on),
      expires_on: isoWithOffset(hold.expires_on),
    },
  })
