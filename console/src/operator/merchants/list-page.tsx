import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  changeMerchant,
  createMerchant,
  listMerchants,
  type OperatorMerchant,
} from '../../api/operator-merchants.ts'
import { date, plural } from '../../lib/format.ts'
import { go, useLocation } from '../../lib/router.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Pager } from '../../parts/pager.tsx'
import { showToast } from '../../parts/toast.tsx'

const LIMIT = 50

/** Who may trade. */
export function MerchantsPage() {
  const offset = Number(useLocation().params.get('offset') ?? 0) || 0
  const reading = useRead(String(offset), (signal) =>
    listMerchants({ limit: LIMIT, offset }, signal),
  )
  const [isMaking, setMaking] = useState(false)
  const action = useAction()
  const switchAccess = (merchant: OperatorMerchant) =>
    action.run(async () => {
      await changeMerchant(merchant.uuid, { api_enabled: !merchant.api_enabled })
      showToast(`Access of ${merchant.legal_dba} is ${merchant.api_enabled ? 'off' : 'on'}.`)
      reading.reload()
    })
  return (
    <>
      <div class="page-head">
        <h1>Merchants</h1>
        {reading.value && <span class="muted">{plural(reading.value.total, 'merchant')}</span>}
        <div class="page-tools">
          <button type="button" class="button is-main" onClick={() => setMaking(true)}>
            Add a merchant
          </button>
        </div>
      </div>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {!reading.value && !reading.problem && <Loading />}
      {reading.value && (
        <MerchantTable
          merchants={reading.value.merchants}
          onSwitch={(merchant) => void switchAccess(merchant)}
        />
      )}
      <Pager total={reading.value?.total ?? 0} limit={LIMIT} offset={offset} />
      {isMaking && <MerchantDialog onClose={() => setMaking(false)} />}
    </>
  )
}

function MerchantTable(props: {
  merchants: OperatorMerchant[]
  onSwitch: (merchant: OperatorMerchant) => void
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by key
    <section class="panel wide-scroll" tabIndex={0} aria-label="Merchants">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Country</th>
            <th scope="col">Price list</th>
            <th scope="col">Currency</th>
            <th scope="col">Since</th>
            <th scope="col">Access</th>
          </tr>
        </thead>
        <tbody>
          {props.merchants.map((merchant) => (
            <tr key={merchant.uuid}>
              <td>
                <a href={`/operator/merchants/${merchant.uuid}`}>{merchant.legal_dba}</a>{' '}
                {merchant.test && <span class="tag is-warn">test</span>}
                <div class="muted small">{merchant.email}</div>
              </td>
              <td>{merchant.country_code}</td>
              <td>{merchant.price_list === 'us' ? 'US' : 'default'}</td>
              <td>{merchant.currency_code}</td>
              <td>{date(merchant.created_on)}</td>
              <td>
                <button
                  type="button"
                  class="button is-small"
                  aria-pressed={merchant.api_enabled}
                  onClick={() => props.onSwitch(merchant)}
                >
                  {merchant.api_enabled ? 'On' : 'Off'}
                  <span class="visually-hidden"> – access of {merchant.legal_dba}</span>
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function MerchantDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState({
    legal_dba: '',
    email: '',
    country_code: 'US',
    currency_code: 'USD',
  })
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const merchant = await createMerchant(draft)
      showToast(`${merchant.legal_dba} is there.`)
      go(`/operator/merchants/${merchant.uuid}`)
    })
  }
  const field = (name: keyof typeof draft, label: string, type = 'text') => (
    <TextField
      label={label}
      name={name}
      type={type}
      required
      problem={action.problem}
      value={draft[name]}
      onInput={(value) => setDraft({ ...draft, [name]: value })}
    />
  )
  return (
    <Dialog title="Add a merchant" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {field('legal_dba', 'Name it trades under')}
        {field('email', 'Email', 'email')}
        {field('country_code', 'Country; US has its own price list')}
        {field('currency_code', 'Currency it sees prices in')}
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button is-main" disabled={action.busy}>
            Add
          </button>
        </div>
      </form>
    </Dialog>
  )
}
