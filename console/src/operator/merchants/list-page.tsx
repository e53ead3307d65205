import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  changeMerchant,
  listMerchants,
  type OperatorMerchant,
} from '../../api/operator/merchants.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { date, money, plural } from '../../lib/format.ts'
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
import { TextSearch } from '../../parts/table/text-search.tsx'
import { showToast } from '../../parts/toast.tsx'
import { isAccessMeant } from './access.ts'
import { MerchantDialog } from './new-merchant-dialog.tsx'

const LIMIT = 50

const COLUMNS: readonly (readonly [string, (merchant: OperatorMerchant) => Cell])[] = [
  [t('Name'), ({ legal_dba }) => legal_dba],
  [t('Email'), ({ email }) => email],
  [t('Your own customer number'), ({ external_id }) => external_id],
  [t('Country'), ({ country_code }) => country_code],
  [t('Price list'), ({ price_list }) => price_list],
  [t('Currency'), ({ currency_code }) => currency_code],
  [t('Days to pay'), ({ payment_terms_days }) => payment_terms_days],
  [t('Credit limit in USD'), ({ credit_limit }) => credit_limit],
  [t('Memo limit in USD'), ({ memo_limit }) => memo_limit],
  [t('Since'), ({ created_on }) => created_on],
  [t('Access'), ({ api_enabled }) => api_enabled],
  ['UUID', ({ uuid }) => uuid],
]

/** What the list can be sorted by, in the names of the interface. */
const SORTS = [
  'legal_dba',
  'country_code',
  'currency_code',
  'payment_terms_days',
  'credit_limit',
  'created_on',
] as const

/** All merchants of the market. */
export function MerchantsPage() {
  const offset = useOffset()
  const filters = filtersIn(useLocation().params)
  const search = { ...filters, ...sortParams(useSort(SORTS)) }
  const reading = useRead(JSON.stringify({ ...search, offset }), (signal) =>
    listMerchants({ ...search, limit: LIMIT, offset }, signal),
  )
  const { merchants = [], total = 0 } = reading.value ?? {}
  const selection = useSelection(JSON.stringify(filters), merchants, ({ uuid }) => uuid)
  const [isAdding, setAdding] = useState(false)
  const action = useAction()
  const switchAccess = (merchant: OperatorMerchant) =>
    action.run(async () => {
      if (!(await isAccessMeant(merchant))) return
      const { legal_dba, api_enabled } = merchant
      await changeMerchant(merchant.uuid, { api_enabled: !api_enabled })
      showToast(
        api_enabled
          ? t('Access for {merchant} is now off.', { merchant: legal_dba })
          : t('Access for {merchant} is now on.', { merchant: legal_dba }),
      )
      reading.reload()
    })
  return (
    <>
      <div class="page-head">
        <h1>{t('Merchants')}</h1>
        {reading.value && <span class="muted">{plural(total, 'merchant')}</span>}
        <div class="page-tools">
          <AccessFilter />
          <ExportButton
            name="merchants.csv"
            columns={COLUMNS}
            read={async (from) => {
              const page = await listMerchants({ ...search, limit: 1000, offset: from })
              return { rows: page.merchants, total: page.total }
            }}
            selected={selection.rows}
          />
          {mayDo('merchants:write') && (
            <button type="button" class="button is-main" onClick={() => setAdding(true)}>
              {t('Add merchant')}
            </button>
          )}
        </div>
      </div>
      <TextSearch label={t('Search by name, email or customer number')} />
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && total === 0 && <Empty title={t('No merchants found')} />}
      <SelectedNote selection={selection} />
      {total > 0 && (
        <MerchantTable
          merchants={merchants}
          selection={selection}
          onSwitch={(merchant) => void switchAccess(merchant)}
        />
      )}
      <Pager total={total} limit={LIMIT} offset={offset} />
      {isAdding && <MerchantDialog onClose={() => setAdding(false)} />}
    </>
  )
}

function filtersIn(params: URLSearchParams) {
  const access = params.get('access')
  return {
    q: params.get('q') || undefined,
    api_enabled: access === 'on' ? true : access === 'off' ? false : undefined,
  }
}

const ACCESS = [
  ['', t('With and without access')],
  ['on', t('With access')],
  ['off', t('Without access')],
] as const

function AccessFilter() {
  return (
    <SelectField<string>
      label={t('Access')}
      hideLabel
      value={useLocation().params.get('access') ?? ''}
      options={ACCESS}
      onChange={(access) => go(withParams({ access, offset: undefined }))}
    />
  )
}

function MerchantTable(props: {
  merchants: OperatorMerchant[]
  selection: Selection<OperatorMerchant>
  onSwitch: (merchant: OperatorMerchant) => void
}) {
  return (
    <ScrollArea label={t('Merchants')}>
      <table>
        <thead>
          <tr>
            <SelectAll selection={props.selection} rows={props.merchants} />
            <SortHead by="legal_dba">{t('Name')}</SortHead>
            <SortHead by="country_code">{t('Country')}</SortHead>
            <th scope="col">{t('Price list')}</th>
            <SortHead by="currency_code">{t('Currency')}</SortHead>
            <SortHead by="payment_terms_days">{t('Terms')}</SortHead>
            <SortHead by="credit_limit" first="desc" class="number">
              {t('Credit limit')}
            </SortHead>
            <SortHead by="created_on">{t('Since')}</SortHead>
            <th scope="col">{t('Access')}</th>
          </tr>
        </thead>
        <tbody>
          {props.merchants.map((merchant) => (
            <MerchantRow
              key={merchant.uuid}
              merchant={merchant}
              selection={props.selection}
              onSwitch={props.onSwitch}
            />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function MerchantRow(props: {
  merchant: OperatorMerchant
  selection: Selection<OperatorMerchant>
  onSwitch: (merchant: OperatorMerchant) => void
}) {
  const { merchant, selection } = props
  const { payment_terms_days: days, credit_limit } = merchant
  return (
    <tr>
      <SelectRow selection={selection} row={merchant} name={merchant.legal_dba} />
      <td>
        <a href={`/operator/merchants/${merchant.uuid}`}>{merchant.legal_dba}</a>{' '}
        {merchant.test && <span class="tag is-warn">{t('Test')}</span>}
        <div class="muted small">{merchant.email}</div>
      </td>
      <td>{merchant.country_code}</td>
      <td>{merchant.price_list === 'us' ? t('US') : t('Default')}</td>
      <td>{merchant.currency_code}</td>
      <td>{days === 0 ? t('prepaid') : plural(days, 'day')}</td>
      <td class="number">{credit_limit === null ? t('No limit') : money(credit_limit, 'USD')}</td>
      <td>{date(merchant.created_on)}</td>
      <td>
        <button
          type="button"
          class="button is-small"
          aria-pressed={merchant.api_enabled}
          disabled={!mayDo('merchants:write')}
          onClick={() => props.onSwitch(merchant)}
        >
          {merchant.api_enabled ? t('On') : t('Off')}
          <span class="visually-hidden">
            {' '}
            – {t('access for {merchant}', { merchant: merchant.legal_dba })}
          </span>
        </button>
      </td>
    </tr>
  )
}
