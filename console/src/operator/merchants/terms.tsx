import { changeMerchant, type MerchantWithUsage } from '../../api/operator/merchants.ts'
import { t } from '../../language/language.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { MerchantHead } from './head.tsx'
import { MerchantMargins } from './margins.tsx'
import { NumberForm } from './number-form.tsx'
import { MerchantStanding } from './standing.tsx'

/** What was agreed on with the merchant: paying, limits, prices and margins. */
export function MerchantTerms(props: { merchant: MerchantWithUsage; onSaved: () => void }) {
  const { merchant, onSaved } = props
  return (
    <>
      <MerchantHead merchant={merchant} part="terms" />
      <MerchantStanding uuid={merchant.uuid} />
      <div class="columns">
        <div class="stack">
          <PaymentTerms
            key={JSON.stringify(termsOf(merchant))}
            merchant={merchant}
            onSaved={onSaved}
          />
          <PriceAdjustment
            key={JSON.stringify(merchant.price_adjustment)}
            merchant={merchant}
            onSaved={onSaved}
          />
        </div>
        <MerchantMargins merchant={merchant} />
      </div>
    </>
  )
}

/** What the form shows: saving the prices below it must not empty what is typed here. */
function termsOf(merchant: MerchantWithUsage) {
  const { payment_terms_days, credit_limit, memo_limit, rate_limit_per_minute } = merchant
  return { payment_terms_days, credit_limit, memo_limit, rate_limit_per_minute }
}

function PaymentTerms(props: { merchant: MerchantWithUsage; onSaved: () => void }) {
  const { uuid } = props.merchant
  const { payment_terms_days, credit_limit, memo_limit, rate_limit_per_minute } = termsOf(
    props.merchant,
  )
  const none = t('No limit')
  return (
    <NumberForm
      title={t('Terms')}
      note={t('With 0 days an order ships once it is paid. New terms hold for new orders.')}
      fields={[
        { name: 'payment_terms_days', label: t('Days to pay'), value: payment_terms_days },
        {
          name: 'credit_limit',
          label: t('Credit limit in USD'),
          value: credit_limit,
          placeholder: none,
        },
        {
          name: 'memo_limit',
          label: t('Memo limit in USD'),
          value: memo_limit,
          placeholder: none,
        },
        {
          name: 'rate_limit_per_minute',
          label: t('Requests a minute'),
          value: rate_limit_per_minute,
          placeholder: t('As for all'),
        },
      ]}
      action={t('Save terms')}
      // An empty number of days is sent as it is: the server says that there must be one.
      save={(changed) => changeMerchant(uuid, changed as Parameters<typeof changeMerchant>[1])}
      onSaved={props.onSaved}
    />
  )
}

const PERCENTS = [
  ['mined_percent', t('Mined diamonds, %')],
  ['lab_percent', t('Lab grown diamonds, %')],
  ['gemstone_percent', t('Gemstones, %')],
  ['jewelry_percent', t('Jewelry and watches, %')],
] as const

function PriceAdjustment(props: { merchant: MerchantWithUsage; onSaved: () => void }) {
  const { uuid, legal_dba, price_adjustment: adjustment } = props.merchant
  return (
    <NumberForm
      title={t('Prices')}
      note={t('What is added to its price list before margins; negative is a discount.')}
      group="price_adjustment"
      fields={PERCENTS.map(([name, label]) => ({
        name,
        label,
        value: adjustment?.[name] ?? null,
        placeholder: '0',
      }))}
      action={t('Save prices')}
      save={async (changed) => {
        const isMeant = await confirmed({
          title: t('Change the prices of {merchant}?', { merchant: legal_dba }),
          text: t('Every wholesale price that it sees and pays changes at once.'),
          action: t('Change prices'),
        })
        if (!isMeant) return false
        return changeMerchant(uuid, { price_adjustment: { ...adjustment, ...changed } })
      }}
      onSaved={props.onSaved}
    />
  )
}
