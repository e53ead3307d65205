import { PAGE_ROWS_MAX } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import { listQuotes, type Quote } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { capitalize, dateTime, humanize, money, plural } from '../../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import {
  SelectAll,
  SelectedNote,
  type Selection,
  SelectRow,
  useSelection,
} from '../../parts/table/selection.tsx'
import { SortHead, sortParams, useSort } from '../../parts/table/sort.tsx'
import { Goods } from '../goods.tsx'
import { TradeHead } from '../head.tsx'
import { expiryText, isCountered, QUOTE_STATUSES, QuoteTag } from './status.tsx'

const LIMIT = 25

/** What quotes can be sorted by, in the names of the interface. */
const HEADS = [
  ['created_on', t('Quote')],
  ['line_items', t('Items')],
  ['status', t('Status')],
  ['expires_on', t('Valid')],
  ['total', t('Total'), 'number'],
] as const
const SORTS = HEADS.map(([by]) => by)

const COLUMNS: readonly (readonly [string, (quote: Quote) => Cell])[] = [
  [t('Quote'), ({ uuid }) => uuid],
  [t('Made'), ({ created_on }) => created_on],
  [t('Status'), ({ status }) => status],
  [t('Stands until'), ({ expires_on }) => expires_on],
  [t('SKUs'), ({ line_items }) => line_items.map(({ sku }) => sku).join(' ')],
  [t('Currency'), ({ currency_code }) => currency_code],
  [t('Total'), ({ total }) => total],
]

/** The merchant's quotes, newest first unless sorted otherwise. */
export function QuotesPage() {
  const { params } = useLocation()
  const chosen = QUOTE_STATUSES.find((status) => status === params.get('status'))
  const offset = useOffset()
  const search = { ...sortParams(useSort(SORTS)), ...(chosen && { status: [chosen] }) }
  const reading = useRead(JSON.stringify({ ...search, offset }), (signal) =>
    listQuotes({ ...search, limit: LIMIT, offset }, signal),
  )
  const { quotes = [], total = 0 } = reading.value ?? {}
  const selection = useSelection(chosen ?? '', quotes, ({ uuid }) => uuid)
  return (
    <>
      <TradeHead>
        {reading.value && <span class="muted">{plural(total, 'quote')}</span>}
        <div class="page-tools">
          <SelectField<Quote['status'] | ''>
            label={t('Status')}
            hideLabel
            value={chosen ?? ''}
            options={[
              ['', t('Any status')],
              ...QUOTE_STATUSES.map((status) => [status, capitalize(humanize(status))] as const),
            ]}
            onChange={(status) => go(withParams({ status, offset: undefined }))}
          />
          <ExportButton
            name="quotes.csv"
            columns={COLUMNS}
            read={async (from) => {
              const page = await listQuotes({ ...search, limit: PAGE_ROWS_MAX, offset: from })
              return { rows: page.quotes, total: page.total }
            }}
            selected={selection.rows}
          />
        </div>
      </TradeHead>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && (
        <Empty title={t('No quotes found')}>
          <p class="muted">
            {t('Ask for a quote in the basket: it freezes prices, or offers your own.')}
          </p>
          <a class="button" href="/basket">
            {t('To the basket')}
          </a>
        </Empty>
      )}
      <SelectedNote selection={selection} />
      {total > 0 && <QuoteTable quotes={quotes} selection={selection} />}
      <Pager total={total} limit={LIMIT} offset={offset} />
    </>
  )
}

function QuoteTable(props: { quotes: readonly Quote[]; selection: Selection<Quote> }) {
  const { quotes, selection } = props
  return (
    <ScrollArea label={t('Quotes')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={selection} rows={quotes} />
            {HEADS.map(([by, label, kind]) => (
              <SortHead key={by} by={by} {...(kind && { class: kind, first: 'desc' })}>
                {label}
              </SortHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {quotes.map((quote) => (
            <tr key={quote.uuid}>
              <SelectRow selection={selection} row={quote} name={dateTime(quote.created_on)} />
              <td>
                <a href={`/quotes/${quote.uuid}`}>{dateTime(quote.created_on)}</a>
              </td>
              <td>{itemsText(quote)}</td>
              <td>
                <span class="row">
                  <QuoteTag status={quote.status} />
                  {isCountered(quote) && <span class="tag">{humanize('countered')}</span>}
                </span>
              </td>
              <td title={dateTime(quote.expires_on)}>{expiryText(quote)}</td>
              <td class="number">{money(quote.total, quote.currency_code)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

/** The first item by its description, and how many more there are. */
function itemsText({ line_items }: Quote) {
  const [first, ...others] = line_items
  return (
    <>
      <Goods line={first} />
      {others.length > 0 && (
        <span class="muted small"> {t('and {count} more', { count: others.length })}</span>
      )}
    </>
  )
}
