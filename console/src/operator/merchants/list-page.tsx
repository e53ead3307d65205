import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  changeMerchant,
  createMerchant,
  listMerchants,
  type OperatorMerchant,
} from '../../api/operator/merchants.ts'
import { date, plural } from '../../lib/format.ts'
import { go, useOffset } from '../../lib/router.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { TextField } from '../../parts/fields.tsx'
import { Pager } from '../../parts/pager.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'
import { showToast } from '../../parts/toast.tsx'

const LIMIT = 50

/** All merchants of the market. */
export function MerchantsPage() {
  const offset = useOffset()
  const reading = useRead(String(offset), (signal) =>
    listMerchants({ limit: LIMIT, offset }, signal),
  )
  const [isAdding, setAdding] = useState(false)
  const action = useAction()
  const switchAccess = (merchant: OperatorMerchant) =>
    action.run(async () => {
      const { legal_dba, api_enabled } = merchant
      const title = `Switch access for ${legal_dba} ${api_enabled ? 'off' : 'on'}?`
      const text = api_enabled
        ? 'Its keys and sessions are refused at once: its shop shows and orders nothing.'
        : 'Its keys and sessions are accepted again, and it can order.'
      const question = { title, text, action: api_enabled ? 'Switch off' : 'Switch on' }
      if (!(await confirmed({ ...question, isDanger: api_enabled }))) return
      await changeMerchant(merchant.uuid, { api_enabled: !merchant.api_enabled })
      showToast(`Access for ${merchant.legal_dba} is now ${merchant.api_enabled ? 'off' : 'on'}.`)
      reading.reload()
    })
  return (
    <>
      <div class="page-head">
        <h1>Merchants</h1>
        {reading.value && <span class="muted">{plural(reading.value.total, 'merchant')}</span>}
        <div class="page-tools">
          <button type="button" class="button is-main" onClick={() => setAdding(true)}>
            Add merchant
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
      {isAdding && <MerchantDialog onClose={() => setAdding(false)} />}
    </>
  )
}

function MerchantTable(props: {
  merchants: OperatorMerchant[]
  onSwitch: (merchant: OperatorMerchant) => void
}) {
  return (
    <ScrollArea label="Merchants">
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
                {merchant.test && <span class="tag is-warn">Test</span>}
                <div class="muted small">{merchant.email}</div>
              </td>
              <td>{merchant.country_code}</td>
              <td>{merchant.price_list === 'us' ? 'US' : 'Default'}</td>
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
                  <span class="visually-hidden"> – access for {merchant.legal_dba}</span>
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
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
      showToast(`${merchant.legal_dba} has been added.`)
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
    <Dialog title="Add merchant" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {field('legal_dba', 'Trading name')}
        {field('email', 'Email', 'email')}
        {field('country_code', 'Country (US has its own price list)')}
        {field('currency_code', 'Currency')}
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
