/** Who is told what about quotes, holds, saved searches, watched stones, enquiries and feeds. */
import type { NoticeProduct } from '../../database/tables/mail.ts'
import { watchedText } from '../texts/other-texts.ts'
import { type Facts, type NoticeEvent, textOf } from './facts.ts'
import { forMerchant, forOperator, forSupplier, type NoticeDraft } from './notice.ts'

interface QuoteLine {
  sku: string
  quantity: number
  wholesale_price: number
  offer_price: number | null
}

export function quoteAnswered(event: NoticeEvent): NoticeDraft[] {
  if (event.merchant_uuid === null) return []
  const uuid = textOf(event, 'quote_uuid')
  return [
    forMerchant(event.merchant_uuid, {
      kind: 'quote_answered',
      path: uuid ? `/quotes/${uuid}` : '/quotes',
      details: { ...quoteDetails(event), reason: textOf(event, 'reason') },
    }),
  ]
}

export function quoteRequested(event: NoticeEvent, facts: Facts): NoticeDraft[] {
  const merchant = facts.merchants.get(event.merchant_uuid ?? '')
  return [
    forOperator({
      kind: 'quote_requested',
      path: '/operator',
      details: { ...quoteDetails(event), merchant },
    }),
  ]
}

function quoteDetails(event: NoticeEvent) {
  const { line_items } = event.event_data
  const lines = Array.isArray(line_items) ? (line_items as QuoteLine[]) : []
  return {
    event_type: event.event_type,
    quantity: lines.length,
    currency_code: textOf(event, 'currency_code') ?? 'USD',
    ends_on: textOf(event, 'expires_on'),
    items: lines.map(({ sku, quantity, wholesale_price, offer_price }) => ({
      sku,
      quantity,
      price: wholesale_price,
      ...(offer_price !== null && { offer_price }),
    })),
  }
}

/** One stone that is named by its SKU. */
function stoneOf(sku: string, { stones }: Facts): NoticeProduct {
  const stone = stones.get(sku)
  return { sku, quantity: 1, ...(stone && { stone }) }
}

export function holdEnding(event: NoticeEvent, facts: Facts): NoticeDraft[] {
  const { merchant_uuid, event_type } = event
  const sku = textOf(event, 'sku')
  const ends_on = textOf(event, 'expires_on')
  if (merchant_uuid === null || !sku || !ends_on) return []
  const details = { event_type, ends_on, items: [stoneOf(sku, facts)] }
  return [forMerchant(merchant_uuid, { kind: 'hold_ending', path: '/holds', details })]
}

export function searchMatched(event: NoticeEvent, facts: Facts): NoticeDraft[] {
  const { merchant_uuid, event_type } = event
  const { skus, more: others } = event.event_data
  if (merchant_uuid === null || !Array.isArray(skus)) return []
  const found = skus.filter((sku) => typeof sku === 'string')
  const more = typeof others === 'number' ? others : 0
  const uuid = textOf(event, 'saved_search_uuid')
  return [
    forMerchant(merchant_uuid, {
      kind: 'saved_search',
      path: uuid ? `/saved/${uuid}` : '/saved',
      details: {
        event_type,
        quantity: found.length + more,
        name: textOf(event, 'name'),
        items: found.map((sku) => stoneOf(sku, facts)),
      },
      more,
    }),
  ]
}

export function watchedChanged(event: NoticeEvent, facts: Facts): NoticeDraft[] {
  const { merchant_uuid, event_type } = event
  const { stones } = event.event_data
  if (merchant_uuid === null || !Array.isArray(stones)) return []
  const told = (stones as { sku: string; change: string }[]).filter(
    ({ sku, change }) => watchedText(sku, change) !== undefined,
  )
  if (told.length === 0) return []
  const items = told.map(({ sku, change }) => ({ ...stoneOf(sku, facts), change }))
  const details = { event_type, quantity: items.length, items }
  return [forMerchant(merchant_uuid, { kind: 'watched_stone', path: '/watch', details })]
}

/** The path is only for stones, of which the console has a page each. */
export function enquirySent(event: NoticeEvent, facts: Facts): NoticeDraft[] {
  const { merchant_uuid, event_type } = event
  const sku = textOf(event, 'sku')
  if (merchant_uuid === null || !sku) return []
  return [
    forMerchant(merchant_uuid, {
      kind: 'enquiry',
      path: facts.stones.has(sku) ? `/stones/${encodeURIComponent(sku)}` : '/jewelry',
      details: {
        event_type,
        name: textOf(event, 'name'),
        email: textOf(event, 'email'),
        message: textOf(event, 'message'),
        items: [stoneOf(sku, facts)],
      },
    }),
  ]
}

/** A source that reads a folder of the operator's is not the supplier's to know. */
const OWN_FILES = 'file:'

export function feedFailing(event: NoticeEvent, { sources }: Facts): NoticeDraft[] {
  const { event_type } = event
  const supplier = textOf(event, 'supplier')
  const feed_url = textOf(event, 'url') ?? ''
  const details = { event_type, feed_url, failure: textOf(event, 'failure'), items: [] }
  const operator = forOperator({
    kind: 'feed_failing',
    path: '/operator/imports',
    details: { ...details, ...(supplier && { suppliers: [supplier] }) },
  })
  const supplierUuid = sources.get(textOf(event, 'source_uuid') ?? '')?.supplier_uuid
  if (supplierUuid === undefined || feed_url.startsWith(OWN_FILES)) return [operator]
  return [
    operator,
    forSupplier(supplierUuid, { kind: 'feed_failing', path: '/supplier/imports', details }),
  ]
}
