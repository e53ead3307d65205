import { useEffect, useState } from 'preact/hooks'
import type { OrderSearch } from '../api/orders.ts'
import { t } from '../language/language.ts'
import { go, useLocation, withParams } from '../lib/router.ts'
import { SelectField } from '../parts/fields.tsx'

const FILTERS = [
  [
    'type',
    t('Type'),
    [
      ['', t('All types')],
      ['invoice', t('Invoices')],
      ['memo', t('Memos')],
    ],
  ],
  [
    'payment',
    t('Payment'),
    [
      ['', t('Paid and unpaid')],
      ['paid', t('Paid')],
      ['unpaid', t('Unpaid')],
    ],
  ],
  [
    'shipping',
    t('Shipping'),
    [
      ['', t('Any shipping status')],
      ['unfulfilled', t('Not shipped')],
      ['partial', t('Partially shipped')],
      ['fulfilled', t('Shipped')],
    ],
  ],
] as const

/** The text and the filters of an order list; they are kept in the address. */
export function OrderSearchBar() {
  const { params } = useLocation()
  const q = params.get('q') ?? ''
  const [text, setText] = useState(q)
  useEffect(() => setText(q), [q])
  const submit = (event: Event) => {
    event.preventDefault()
    go(withParams({ q: text, offset: undefined }))
  }
  return (
    <form class="row panel" onSubmit={submit} style={{ marginBottom: '16px' }}>
      <label class="field" style={{ flex: '1 1 220px' }}>
        <span class="visually-hidden">{t('Search orders')}</span>
        <input
          class="input"
          type="search"
          placeholder={t('Order number, reference, SKU, certificate, carat …')}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {FILTERS.map(([name, label, options]) => (
        <SelectField<string>
          key={name}
          label={label}
          hideLabel
          value={params.get(name) ?? ''}
          options={options}
          onChange={(value) => go(withParams({ [name]: value, offset: undefined }))}
        />
      ))}
      <button type="submit" class="button">
        {t('Search')}
      </button>
    </form>
  )
}

type OrderFilters = Pick<OrderSearch, 'order_type' | 'payment_status' | 'fulfillment_status'>

/** The filters in the address. An unknown value is sent as it is; the server explains it. */
export function orderFilters(params: URLSearchParams): OrderFilters {
  const valuesOf = (name: (typeof FILTERS)[number][0]) => {
    const value = params.get(name)
    return value ? [value] : undefined
  }
  return {
    order_type: valuesOf('type'),
    payment_status: valuesOf('payment'),
    fulfillment_status: valuesOf('shipping'),
  } as OrderFilters
}
