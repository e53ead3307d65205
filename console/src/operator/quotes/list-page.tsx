import { useRead } from '../../api/hooks.ts'
import { listOperatorQuotes, type OperatorQuote } from '../../api/operator/quotes.ts'
import { t } from '../../language/language.ts'
import {
  capitalize,
  dateTime,
  fromNow,
  humanize,
  money,
  percent,
  plural,
} from '../../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { QuoteTag } from '../../orders/quotes/status.tsx'
import { ExportButton } from '../../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { SortHead, useSorted } from '../../parts/table/sort.tsx'
import { useMerchantNames } from '../merchants/names.ts'
import { MerchantSelect } from '../merchants/select.tsx'
import { askedTotal, listTotal } from './quote-sums.ts'

const LIMIT = 50
const REQUESTED_MAX = 200
type Status = OperatorQuote['status']
const ANSWERED: readonly Status[] = ['open', 'ordered', 'declined', 'expired']
type Names = ReadonlyMap<string, string> | undefined

/** The quotes of all merchants; those that wait for an answer come first. */
export function OperatorQuotesPage() {
  const names = useMerchantNames()
  return (
    <>
      <div class="page-head">
        <h1>{t('Quotes')}</h1>
        <div class="page-tools">
          <MerchantSelect names={names} />
        </div>
        <p class="page-lead">
          {t('Merchants ask for a price; accept it, decline it, or name another one.')}
        </p>
      </div>
      <div class="stack">
        <RequestedQuotes names={names} />
        <AnsweredQuotes names={names} />
      </div>
    </>
  )
}

function RequestedQuotes({ names }: { names: Names }) {
  const merchant_uuid = useLocation().params.get('merchant') || undefined
  const query = { status: ['requested' as const], merchant_uuid, limit: REQUESTED_MAX, offset: 0 }
  const reading = useRead(JSON.stringify(query), (signal) => listOperatorQuotes(query, signal))
  const { quotes, total = 0 } = reading.value ?? {}
  // The list is newest first; who has waited longest is answered first.
  const waiting = useSorted(quotes?.toReversed() ?? [], valuesFor(names))
  return (
    <section class="stack">
      <h2>
        {t('Waiting for your answer')} {total > 0 && <span class="tag is-warn">{total}</span>}
      </h2>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!quotes && !reading.problem && <Loading rows={2} />}
      {quotes?.length === 0 && <p class="muted">{t('No merchant waits for an answer.')}</p>}
      {waiting.length > 0 && (
        <QuoteTable label={t('Waiting for your answer')} quotes={waiting} names={names} canSort />
      )}
    </section>
  )
}

function AnsweredQuotes({ names }: { names: Names }) {
  const { params } = useLocation()
  const offset = useOffset()
  const status = (params.get('status') || undefined) as Status | undefined
  const search = {
    status: status ? [status] : [...ANSWERED],
    merchant_uuid: params.get('merchant') || undefined,
  }
  const reading = useRead(JSON.stringify({ ...search, offset }), (signal) =>
    listOperatorQuotes({ ...search, limit: LIMIT, offset }, signal),
  )
  const { quotes, total = 0 } = reading.value ?? {}
  const options = ANSWERED.map((each) => [each, capitalize(humanize(each))] as const)
  return (
    <section class="stack">
      <div class="row">
        <h2>{t('Other quotes')}</h2>
        {quotes && <span class="muted">{plural(total, 'quote')}</span>}
        <SelectField<string>
          label={t('Status')}
          hideLabel
          value={status ?? ''}
          options={[['', t('Any status')], ...options]}
          onChange={(next) => go(withParams({ status: next, offset: undefined }))}
        />
        <ExportButton
          name="quotes.csv"
          columns={columnsFor(names)}
          read={async (from) => {
            const page = await listOperatorQuotes({ ...search, limit: 200, offset: from })
            return { rows: page.quotes, total: page.total }
          }}
        />
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!quotes && !reading.problem && <Loading />}
      {quotes?.length === 0 && <Empty title={t('No quotes found')} />}
      {quotes && quotes.length > 0 && (
        <QuoteTable label={t('Other quotes')} quotes={quotes} names={names} />
      )}
      <Pager total={total} limit={LIMIT} offset={offset} />
    </section>
  )
}

function columnsFor(names: Names): (readonly [string, (quote: OperatorQuote) => Cell])[] {
  return [
    [t('Quote'), ({ uuid }) => uuid],
    [t('Merchant'), ({ merchant_uuid }) => names?.get(merchant_uuid) ?? merchant_uuid],
    [t('Status'), ({ status }) => status],
    [t('Made'), ({ created_on }) => created_on],
    [t('Stands until'), ({ expires_on }) => expires_on],
    [t('Currency'), ({ currency_code }) => currency_code],
    [t('List price'), listTotal],
    [t('Asked'), askedTotal],
    [t('Total'), ({ total }) => total],
    [t('SKUs'), ({ line_items }) => line_items.map(({ sku }) => sku).join(' ')],
  ]
}

/** What quotes are sorted by where the page has all of them. */
function valuesFor(names: Names) {
  return {
    made: ({ created_on }: OperatorQuote) => created_on,
    merchant: ({ merchant_uuid }: OperatorQuote) => names?.get(merchant_uuid),
    items: ({ line_items }: OperatorQuote) => line_items.length,
    list: listTotal,
    asked: askedTotal,
    total: ({ total }: OperatorQuote) => total,
    until: ({ expires_on }: OperatorQuote) => expires_on,
  }
}

const HEADS = [
  ['made', t('Quote')],
  ['merchant', t('Merchant')],
  ['', t('Status')],
  ['items', t('Items')],
  ['list', t('List price'), 'number'],
  ['asked', t('Asked'), 'number'],
  ['total', t('Total'), 'number'],
  ['until', t('Stands until')],
] as const

function QuoteTable(props: {
  label: string
  quotes: readonly OperatorQuote[]
  names: Names
  canSort?: boolean
}) {
  return (
    <ScrollArea label={props.label}>
      <table>
        <thead>
          <tr>
            {HEADS.map(([by, label, kind]) =>
              props.canSort && by ? (
                <SortHead key={by} by={by} {...(kind && { class: kind, first: 'desc' })}>
                  {label}
                </SortHead>
              ) : (
                <th key={by} scope="col" class={kind}>
                  {label}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {props.quotes.map((quote) => (
            <QuoteRow key={quote.uuid} quote={quote} names={props.names} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function QuoteRow({ quote, names }: { quote: OperatorQuote; names: Names }) {
  const { uuid, merchant_uuid, currency_code, line_items } = quote
  const [listed, asked] = [listTotal(quote), askedTotal(quote)]
  return (
    <tr>
      <td>
        <a href={`/operator/quotes/${uuid}`}>{dateTime(quote.created_on)}</a>
        <div class="muted small mono">{line_items[0]?.sku}</div>
      </td>
      <td>
        <a href={`/operator/merchants/${merchant_uuid}`}>
          {names?.get(merchant_uuid) ?? t('Merchant')}
        </a>
      </td>
      <td>
        <QuoteTag status={quote.status} />
      </td>
      <td>{line_items.length}</td>
      <td class="number">{money(listed, currency_code)}</td>
      <td class="number">
        {asked !== listed && (
          <>
            {money(asked, currency_code)}
            <div class="muted small">{percent((asked / listed - 1) * 100)}</div>
          </>
        )}
      </td>
      <td class="number">{money(quote.total, currency_code)}</td>
      <td title={dateTime(quote.expires_on)}>{fromNow(quote.expires_on)}</td>
    </tr>
  )
}
