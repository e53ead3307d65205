/** Quotes and the operator's answers to offers. The functions are those of the operator's API. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Tx } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import { renderQuote } from '../../http/shared/quote-rendering.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { acceptQuote, counterQuote, declineQuote } from '../../orders/quotes/answer-quote.ts'
import {
  OFFER_MAX,
  QUOTE_MINUTES_MAX,
  QUOTE_STATUSES,
  type Quote,
  type QuoteStatus,
} from '../../orders/quotes/quote.ts'
import { getQuote, searchQuotes } from '../../orders/quotes/quote-store.ts'
import { readLine, readUuid, readWholeNumber } from '../arguments.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'

const EXAMPLE_UUID = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'

export function quoteCommand(): Command {
  return commandGroup('quote', 'List quotes; accept, decline or counter what merchants offer', [
    listCommand(),
    showCommand(),
    answerCommand('accept', 'Accept the prices that the merchant offers')
      .addOption(minutesOption())
      .action((uuid: string, options: MinutesOptions) =>
        answer(options, (tx) => acceptQuote(tx, uuid, { minutes: options.minutes })),
      ),
    answerCommand('decline', 'Decline the offer and end the holds of the quote')
      .option('--reason <text>', 'Reason, which the merchant sees', readLine)
      .action((uuid: string, options: CommonOptions & { reason?: string }) =>
        answer(options, (tx) => declineQuote(tx, uuid, { reason: options.reason })),
      ),
    counterCommand(),
  ])
}

interface ListOptions extends CommonOptions {
  merchant?: string
  status?: QuoteStatus
  limit: number
}

function listCommand(): Command {
  return command('list', 'List quotes, newest first', 'pavilion quote list --status requested')
    .option('--merchant <uuid|email>', 'Only quotes of this merchant')
    .addOption(new Option('--status <status>', 'Only this status').choices(QUOTE_STATUSES))
    .option('--limit <count>', 'Maximum number of quotes', readWholeNumber(1, 99_999), 100)
    .action((options: ListOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const merchant = options.merchant ? await getMerchant(db, options.merchant) : undefined
          const { quotes } = await searchQuotes(db, {
            merchant_uuid: merchant?.uuid,
            status: options.status && [options.status],
            limit: options.limit,
            offset: 0,
          })
          return quotes.map(renderQuote)
        },
        (quotes) =>
          tableOf(
            quotes.map((quote) => ({ ...quote, lines: quote.line_items.length })),
            {
              uuid: 'UUID',
              status: 'Status',
              merchant_uuid: 'Merchant',
              lines: 'Lines',
              total: 'Total',
              currency_code: 'Currency',
              expires_on: 'Expires',
            },
            'No quotes.',
          ),
      ),
    )
}

function showCommand(): Command {
  return command('show', 'Show one quote', `pavilion quote show ${EXAMPLE_UUID}`)
    .argument('<uuid>', 'UUID of the quote', readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database }) => renderQuote(await getQuote(database.db, uuid)),
        showQuote,
      ),
    )
}

interface MinutesOptions extends CommonOptions {
  minutes?: number
}

interface CounterOptions extends MinutesOptions {
  price: CounterPrice[]
}

interface CounterPrice {
  sku: string
  price: number
}

function counterCommand(): Command {
  return answerCommand('counter', 'Answer an offer with other prices', ' --price K7Q2M4X9TB:1650')
    .addOption(
      new Option('--price <sku:price>', 'Price of one, in the currency of the quote; repeatable')
        .argParser(readPrice)
        .makeOptionMandatory(),
    )
    .addOption(minutesOption())
    .action((uuid: string, options: CounterOptions) =>
      answer(options, (tx) =>
        counterQuote(tx, uuid, { line_items: options.price, minutes: options.minutes }),
      ),
    )
}

function answerCommand(name: string, description: string, exampleOptions = ''): Command {
  return command(
    name,
    description,
    `pavilion quote ${name} ${EXAMPLE_UUID}${exampleOptions}`,
  ).argument('<uuid>', 'UUID of the quote', readUuid)
}

function minutesOption(): Option {
  return new Option(
    '--minutes <count>',
    'The quote stands for so long from now (default: until its end)',
  ).argParser(readWholeNumber(1, QUOTE_MINUTES_MAX))
}

function answer(options: CommonOptions, work: (tx: Tx) => Promise<Quote>): Promise<void> {
  return onMarket(
    options,
    async ({ database }) => renderQuote(await inTransaction(database.db, work)),
    showQuote,
  )
}

function readPrice(text: string, earlier: CounterPrice[] | undefined): CounterPrice[] {
  const match = /^(\S+):(\d{1,10}(?:\.\d{1,4})?)$/.exec(text)
  const price = Number(match?.[2])
  if (!match || !(price > 0 && price <= OFFER_MAX)) {
    throw new InvalidArgumentError('Expected a SKU and a price, as in K7Q2M4X9TB:1650.')
  }
  return [...(earlier ?? []), { sku: match[1], price }]
}

function showQuote(quote: ReturnType<typeof renderQuote>): string {
  const { uuid, status, total, currency_code, expires_on } = quote
  const head = `Quote of ${total} ${currency_code} for merchant ${quote.merchant_uuid}`
  const reason = quote.reason ? `\nDeclined: ${quote.reason}` : ''
  const order = quote.order_uuid === null ? '' : `\nOrdered: ${quote.order_uuid}`
  const lines = tableOf(
    quote.line_items,
    {
      sku: 'SKU',
      quantity: 'Quantity',
      market_price: 'Market price',
      offer_price: 'Offer',
      wholesale_price: 'Price',
    },
    'No lines.',
  )
  return `${head}\n${uuid}: ${status}, until ${expires_on}${reason}${order}\n\n${lines}`
}
