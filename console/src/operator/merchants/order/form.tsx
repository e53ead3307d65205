import type { Address } from '../../../api/addresses.ts'
import { t } from '../../../language/language.ts'
import { plural } from '../../../lib/format.ts'
import { Checkbox, SelectField, TextField } from '../../../parts/fields.tsx'
import { readSkus } from './sku-list.ts'

export interface OrderDraft {
  skus: string
  order_type: 'invoice' | 'memo'
  order_id: string
  order_reference: string
  notes: string
  shipping_address_uuid: string
  ignore_limits: boolean
}

export const EMPTY_DRAFT: OrderDraft = {
  skus: '',
  order_type: 'invoice',
  order_id: '',
  order_reference: '',
  notes: '',
  shipping_address_uuid: '',
  ignore_limits: false,
}

/** What is ordered, how, and where it goes. */
export function OrderForm(props: {
  draft: OrderDraft
  addresses: readonly Address[]
  busy: boolean
  onChange: (draft: OrderDraft) => void
  onCheck: () => void
}) {
  const { draft, addresses, onChange } = props
  const change = (part: Partial<OrderDraft>) => onChange({ ...draft, ...part })
  const wanted = readSkus(draft.skus).length
  const places = addresses.map(({ uuid, name, city }) => [uuid, `${name}, ${city}`] as const)
  const submit = (event: Event) => {
    event.preventDefault()
    props.onCheck()
  }
  return (
    <form class="panel form" onSubmit={submit}>
      <label class="field full-width">
        <span>{t('SKUs, one a line; a number after a SKU is its quantity')}</span>
        <textarea
          class="input mono"
          rows={5}
          required
          spellcheck={false}
          value={draft.skus}
          onInput={(event) => change({ skus: event.currentTarget.value })}
        />
      </label>
      <SelectField
        label={t('Type')}
        value={draft.order_type}
        options={[
          ['invoice', t('Invoice')],
          ['memo', t('Memo')],
        ]}
        onChange={(order_type) => change({ order_type })}
      />
      <SelectField<string>
        label={t('Ship to')}
        value={draft.shipping_address_uuid}
        options={[['', t('Default address')], ...places]}
        onChange={(shipping_address_uuid) => change({ shipping_address_uuid })}
      />
      <TextField
        label={t('Order number')}
        placeholder={t('generated')}
        value={draft.order_id}
        onInput={(order_id) => change({ order_id })}
      />
      <TextField
        label={t('Reference')}
        value={draft.order_reference}
        onInput={(order_reference) => change({ order_reference })}
      />
      <TextField label={t('Notes')} value={draft.notes} onInput={(notes) => change({ notes })} />
      <div class="full-width row">
        <Checkbox
          checked={draft.ignore_limits}
          onChange={(ignore_limits) => change({ ignore_limits })}
        >
          {t('Ignore the credit and memo limits of the merchant')}
        </Checkbox>
      </div>
      <div class="full-width row">
        <button type="submit" class="button is-main" disabled={props.busy || wanted === 0}>
          {t('Check')}
        </button>
        {wanted > 0 && <span class="muted">{plural(wanted, 'line')}</span>}
      </div>
    </form>
  )
}
