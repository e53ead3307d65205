/** What is told about quotes, holds, saved searches and feeds. */
import { type Facts, type NoticeEvent, textOf } from './facts.ts'
import { forMerchant, forOperator, forSupplier, type NoticeDraft } from './notice.ts'
import { count, money, time } from './words.ts'

interface QuoteLine {
  sku: string
  quantity: number
  wholesale_price: number
  offer_price: number | null
}

const ANSWERS = new Map([
  ['quote.accept', { word: 'accepted', next: 'You can order at these prices' }],
  ['quote.counter', { word: 'answered with other prices', next: 'You can order at these prices' }],
  ['quote.decline', { word: 'declined', next: undefined }],
])

export function quoteAnswered(event: NoticeEvent): NoticeDraft[] {
  const { merchant_uuid } = event
  const answer = ANSWERS.get(event.event_type)
  if (merchant_uuid === null || !answer) return []
  const reason = textOf(event, 'reason')
  const end = textOf(event, 'expires_on')
  const uuid = textOf(event, 'quote_uuid')
  return [
    forMerchant(merchant_uuid, {
      kind: 'quote_answered',
      subject: `Your offer was ${answer.word}`,
      path: uuid ? `/quotes/${uuid}` : '/quotes',
      lead: [
        `Your offer for ${count(quoteLines(event).length, 'item')} was ${answer.word}.`,
        reason && `Reason: ${reason}.`,
        answer.next && end && `${answer.next} until ${time(end)}.`,
      ],
      items: quoteItems(event),
    }),
  ]
}

export function quoteRequested(event: NoticeEvent, facts: Facts): NoticeDraft[] {
  const merchant = facts.merchants.get(event.merchant_uuid ?? '') ?? 'A merchant'
  const end = textOf(event, 'expires_on')
  return [
    forOperator({
      kind: 'quote_requested',
      subject: `${merchant} offers a price`,
      path: '/operator',
      lead: [
        `${merchant} offers a price for ${count(quoteLines(event).length, 'item')}.`,
        end && `Please accept, counter or decline it before ${time(end)}.`,
      ],
      items: quoteItems(event),
    }),
  ]
}

function quoteLines({ event_data }: NoticeEvent): QuoteLine[] {
  return Array.isArray(event_data.line_items) ? (event_data.line_items as QuoteLine[]) : []
}

function quoteItems(event: NoticeEvent) {
  const currency = textOf(event, 'currency_code') ?? 'USD'
  return quoteLines(event).map(({ sku, quantity, wholesale_price, offer_price }) => ({
    title: quantity === 1 ? sku : `${sku} (${count(quantity, 'piece')})`,
    detail: [
      `price ${money(wholesale_price, currency)}`,
      ...(offer_price === null ? [] : [`offered ${money(offer_price, currency)}`]),
    ].join(', '),
  }))
}

export function holdEnding(event: NoticeEvent, { stones }: Facts): NoticeDraft[] {
  const sku = textOf(event, 'sku')
  const end = textOf(event, 'expires_on')
  if (event.merchant_uuid === null || !sku || !end) return []
  return [
    forMerchant(event.merchant_uuid, {
      kind: 'hold_ending',
      subject: `Your hold on ${sku} ends soon`,
      path: '/holds',
      lead: [`Your hold ends on ${time(end)}. After that others can order the stone.`],
      items: [{ title: sku, detail: stones.get(sku) ?? '' }],
    }),
  ]
}

export function searchMatched(event: NoticeEvent, { stones }: Facts): NoticeDraft[] {
  const { skus, more } = event.event_data
  if (event.merchant_uuid === null || !Array.isArray(skus)) return []
  const found = skus.filter((sku) => typeof sku === 'string')
  const others = typeof more === 'number' ? more : 0
  const name = textOf(event, 'name')
  const uuid = textOf(event, 'saved_search_uuid')
  const number = found.length + others
  return [
    forMerchant(event.merchant_uuid, {
      kind: 'saved_search',
      subject: `${count(number, 'stone')} for ${name ? `"${name}"` : 'your saved search'}`,
      path: uuid ? `/saved/${uuid}` : '/saved',
      lead: [
        `${count(number, 'stone')} ${number === 1 ? 'matches' : 'match'} your saved search now` +
          `${name ? `: ${name}` : ''}.`,
      ],
      items: found.map((sku) => ({ title: sku, detail: stones.get(sku) ?? '' })),
      more: others,
    }),
  ]
}

const WATCH_WORDS = new Map([
  ['price_down', 'costs less now'],
  ['price_up', 'costs more now'],
  ['sold', 'was sold'],
  ['withdrawn', 'is no longer on the market'],
  ['back', 'is on sale again'],
])

export function watchedChanged(event: NoticeEvent, { stones }: Facts): NoticeDraft[] {
  const { stones: changed } = event.event_data
  if (event.merchant_uuid === null || !Array.isArray(changed)) return []
  const told = changed.flatMap(({ sku, change }: { sku: string; change: string }) => {
    const words = WATCH_WORDS.get(change)
    return words ? [{ sku, words }] : []
  })
  if (told.length === 0) return []
  const [first] = told
  return [
    forMerchant(event.merchant_uuid, {
      kind: 'watched_stone',
      subject:
        told.length === 1
          ? `${first.sku} ${first.words}`
          : `${count(told.length, 'stone')} of your watch list changed`,
      path: '/watch',
      lead: ['Something happened to what you watch.'],
      items: told.map(({ sku, words }) => ({
        title: `${sku} ${words}`,
        detail: stones.get(sku) ?? '',
      })),
    }),
  ]
}

/** The path is only for stones, of which the console has a page each. */
export function enquirySent(event: NoticeEvent, { stones }: Facts): NoticeDraft[] {
  const sku = textOf(event, 'sku')
  if (event.merchant_uuid === null || !sku) return []
  const name = textOf(event, 'name')
  const email = textOf(event, 'email')
  return [
    forMerchant(event.merchant_uuid, {
      kind: 'enquiry',
      subject: `A visitor asks about ${sku}`,
      path: stones.has(sku) ? `/stones/${encodeURIComponent(sku)}` : '/jewelry',
      lead: [
        `${name} asks on your shop's page about ${sku}. Answer to ${email}.`,
        textOf(event, 'message'),
      ],
      items: [{ title: sku, detail: stones.get(sku) ?? '' }],
    }),
  ]
}

/** A source that reads a folder of the operator's is not the supplier's to know. */
const OWN_FILES = 'file:'

export function feedFailing(event: NoticeEvent, { sources }: Facts): NoticeDraft[] {
  const supplier = textOf(event, 'supplier') ?? 'a supplier'
  const url = textOf(event, 'url') ?? ''
  const isBack = event.event_type === 'source.recover'
  const failure = textOf(event, 'failure')
  const state = isBack ? 'works again' : 'fails'
  const supplierUuid = sources.get(textOf(event, 'source_uuid') ?? '')?.supplier_uuid
  const lead = [
    isBack ? `The feed from ${url} was fetched again.` : `The feed from ${url} cannot be imported.`,
    failure && `${failure}${/[.!?]$/.test(failure) ? '' : '.'}`,
    !isBack && 'It is tried again by itself, and you hear from us when it works.',
  ]
  const operator = forOperator({
    kind: 'feed_failing',
    subject: `The feed of ${supplier} ${state}`,
    path: '/operator/imports',
    lead,
  })
  if (supplierUuid === undefined || url.startsWith(OWN_FILES)) return [operator]
  const subject = `Your feed ${state}`
  return [
    operator,
    forSupplier(supplierUuid, { kind: 'feed_failing', subject, path: '/supplier/imports', lead }),
  ]
}
