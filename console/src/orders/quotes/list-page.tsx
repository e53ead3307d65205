import { useRead } from '../../api/hooks.ts'
import { listQuotes, type Quote } from '../../api/orders.ts'
import { t } from '../../language/language.ts'
import { capitalize, dateTime, humanize, money, plural } from '../../lib/format.ts'
import { go, useLocation, useOffset, withParams } from '../../lib/router.ts'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { TradeHead } from '../head.tsx'
import { expiryText, isCountered, QUOTE_STATUSES, QuoteTag } from './status.tsx'

const LIMIT = 25

/** The merchant's quotes, newest first. */
export function QuotesPage() {
  const { params } = useLocation()
  const chosen = QUOTE_STATUSES.find((status) => status === params.get('status'))
  const search = { limit: LIMIT, offset: useOffset(), ...(chosen && { status: [chosen] }) }
  const reading = useRead(JSON.stringify(search), (signal) => listQuotes(search, signal))
  const total = reading.value?.total ?? 0
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
      {reading.value && total > 0 && <QuoteTable quotes={reading.value.quotes} />}
      <Pager total={total} limit={LIMIT} offset={search.offset} />
    </>
  )
}

function QuoteTable({ quotes }: { quotes: Quote[] }) {
  return (
    <ScrollArea label={t('Quotes')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Quote')}</th>
            <th scope="col">{t('Items')}</th>
            <th scope="col">{t('Status')}</th>
            <th scope="col">{t('Valid')}</th>
            <th scope="col" class="number">
              {t('Total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {quotes.map((quote) => (
            <tr key={quote.uuid}>
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
      <span lang="en">{first.description || first.name}</span>
      {others.length > 0 && (
        <span class="muted small"> {t('and {count} more', { count: others.length })}</span>
      )}
    </>
  )
}
