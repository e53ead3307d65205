import { useState } from 'preact/hooks'
import { useRead } from '../../api/hooks.ts'
import {
  acceptQuote,
  declineQuote,
  listOperatorQuotes,
  type OperatorQuote,
} from '../../api/operator/quotes.ts'
import { t } from '../../language/language.ts'
import { capitalize, humanize, plural } from '../../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { Pager } from '../../parts/pager.tsx'
import { BulkButton } from '../../parts/table/bulk-button.tsx'
import { SelectedNote, type Selection, useSelection } from '../../parts/table/selection.tsx'
import { sortParams, useSort } from '../../parts/table/sort.tsx'
import { useMerchantNames } from '../merchants/names.ts'
import { MerchantSelect } from '../merchants/select.tsx'
import { askedTotal, listTotal } from './quote-sums.ts'
import { type Names, QUOTE_SORTS, QuoteTable } from './table.tsx'

const LIMIT = 50
const REQUESTED_MAX = 200
type Status = OperatorQuote['status']
const ANSWERED: readonly Status[] = ['open', 'ordered', 'declined', 'expired']

/** The quotes of all merchants; those that wait for an answer come first. */
export function OperatorQuotesPage() {
  const names = useMerchantNames()
  const [answered, setAnswered] = useState(0)
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
        <RequestedQuotes names={names} onAnswered={() => setAnswered(answered + 1)} />
        <AnsweredQuotes key={answered} names={names} />
      </div>
    </>
  )
}

/** Who has waited longest is answered first, unless the table is sorted otherwise. */
function RequestedQuotes({ names, onAnswered }: { names: Names; onAnswered: () => void }) {
  const merchant_uuid = useLocation().params.get('merchant') || undefined
  const filters = { status: ['requested' as const], merchant_uuid }
  const sort = sortParams(useSort(QUOTE_SORTS)) ?? { sort_order: 'asc' as const }
  const query = { ...filters, ...sort, limit: REQUESTED_MAX, offset: 0 }
  const reading = useRead(JSON.stringify(query), (signal) => listOperatorQuotes(query, signal))
  const { quotes, total = 0 } = reading.value ?? {}
  const selection = useSelection(JSON.stringify(filters), quotes ?? [], ({ uuid }) => uuid)
  const onDone = () => {
    reading.reload()
    onAnswered()
  }
  return (
    <section class="stack">
      <h2>
        {t('Waiting for your answer')} {total > 0 && <span class="tag is-warn">{total}</span>}
      </h2>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!quotes && !reading.problem && <Loading rows={2} />}
      {quotes?.length === 0 && <p class="muted">{t('No merchant waits for an answer.')}</p>}
      {quotes && quotes.length > 0 && (
        <div class="row list-tools">
          <ExportButton
            name="quotes.csv"
            columns={columnsFor(names)}
            read={async () => ({ rows: quotes, total })}
            selected={selection.rows}
          />
        </div>
      )}
      <SelectedRequests selection={selection} onDone={onDone} />
      {quotes && quotes.length > 0 && (
        <QuoteTable
          label={t('Waiting for your answer')}
          quotes={quotes}
          names={names}
          selection={selection}
        />
      )}
    </section>
  )
}

/** Accepts or declines several at once. */
function SelectedRequests(props: { selection: Selection<OperatorQuote>; onDone: () => void }) {
  const { rows } = props.selection
  const quotes = plural(rows.length, 'quote')
  return (
    <SelectedNote selection={props.selection}>
      <BulkButton
        {...props}
        scope="orders:write"
        rows={rows}
        label={t('Accept {quotes}', { quotes })}
        text={t('The merchants can order at the prices that they asked for.')}
        step={({ uuid }) => acceptQuote(uuid)}
      />
      <BulkButton
        {...props}
        scope="orders:write"
        rows={rows}
        label={t('Decline {quotes}', { quotes })}
        text={t('The merchants are told, and holds of these quotes end.')}
        isDanger
        step={({ uuid }) => declineQuote(uuid, '')}
      />
    </SelectedNote>
  )
}

function AnsweredQuotes({ names }: { names: Names }) {
  const { params } = useLocation()
  const offset = useOffset()
  // Those that wait for an answer are listed above.
  const status = ANSWERED.find((each) => each === params.get('status'))
  const filters = {
    status: status ? [status] : [...ANSWERED],
    merchant_uuid: params.get('merchant') || undefined,
  }
  const search = { ...filters, ...sortParams(useSort(QUOTE_SORTS)) }
  const reading = useRead(JSON.stringify({ ...search, offset }), (signal) =>
    listOperatorQuotes({ ...search, limit: LIMIT, offset }, signal),
  )
  const { quotes, total = 0 } = reading.value ?? {}
  const selection = useSelection(JSON.stringify(filters), quotes ?? [], ({ uuid }) => uuid)
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
          selected={selection.rows}
        />
      </div>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!quotes && !reading.problem && <Loading />}
      {quotes?.length === 0 && <Empty title={t('No quotes found')} />}
      <SelectedNote selection={selection} />
      {quotes && quotes.length > 0 && (
        <QuoteTable label={t('Other quotes')} quotes={quotes} names={names} selection={selection} />
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
