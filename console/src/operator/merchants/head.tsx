import type { ComponentChildren } from 'preact'
import type { OperatorMerchant } from '../../api/operator/merchants.ts'
import { mayDo } from '../../api/session-store.ts'
import { t, withElements } from '../../language/language.ts'
import { date } from '../../lib/format.ts'

const TABS = [
  ['', t('Account')],
  ['terms', t('Terms and prices')],
  ['addresses', t('Addresses')],
  ['users', t('Users')],
] as const

export type MerchantPart = (typeof TABS)[number][0] | 'order'

/** The heading of every page of a merchant, with tabs to the others. */
export function MerchantHead(props: {
  merchant: OperatorMerchant
  part: MerchantPart
  title?: string
  children?: ComponentChildren
}) {
  const { merchant, part, title } = props
  const base = `/operator/merchants/${merchant.uuid}`
  return (
    <>
      <div class="page-head">
        <h1>{title ?? merchant.legal_dba}</h1>
        <span class={merchant.api_enabled ? 'tag is-good' : 'tag is-bad'}>
          {merchant.api_enabled ? t('Access on') : t('Access off')}
        </span>
        <div class="page-tools">
          {props.children}
          {part !== 'order' && mayDo('orders:write') && (
            <a class="button" href={`${base}/order`}>
              {t('Place an order')}
            </a>
          )}
        </div>
        <Lead merchant={merchant} />
      </div>
      <nav class="tabs" aria-label={merchant.legal_dba}>
        {TABS.map(([name, label]) => (
          <a
            key={name}
            href={name === '' ? base : `${base}/${name}`}
            aria-current={part === name ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
    </>
  )
}

function Lead({ merchant }: { merchant: OperatorMerchant }) {
  const { uuid, price_list, created_on } = merchant
  const list = price_list === 'us' ? t('US price list') : t('Default price list')
  return (
    <p class="page-lead">
      {withElements('{list}, merchant since {date}. Show its {orders}, {quotes} and {memos}.', {
        list,
        date: date(created_on),
        orders: (
          <a key="orders" href={`/operator/orders?merchant=${uuid}`}>
            {t('orders')}
          </a>
        ),
        quotes: (
          <a key="quotes" href={`/operator/quotes?merchant=${uuid}`}>
            {t('quotes')}
          </a>
        ),
        memos: (
          <a key="memos" href={`/operator/memos?merchant=${uuid}`}>
            {t('memos')}
          </a>
        ),
      })}
    </p>
  )
}
