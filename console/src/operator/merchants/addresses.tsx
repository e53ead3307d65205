import { useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  addMerchantAddress,
  listMerchantAddresses,
  type NewMerchantAddress,
  type OperatorMerchant,
} from '../../api/operator/merchants.ts'
import { t } from '../../language/language.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { Checkbox, TextField } from '../../parts/fields.tsx'
import { showToast } from '../../parts/toast.tsx'
import { MerchantHead } from './head.tsx'

/** Where the merchant has goods sent. It changes and removes addresses itself. */
export function MerchantAddresses({ merchant }: { merchant: OperatorMerchant }) {
  const { uuid } = merchant
  const reading = useRead(`addresses ${uuid}`, (signal) => listMerchantAddresses(uuid, signal))
  const [isAdding, setAdding] = useState(false)
  const addresses = reading.value?.addresses
  return (
    <>
      <MerchantHead merchant={merchant} part="addresses">
        <button type="button" class="button is-main" onClick={() => setAdding(true)}>
          {t('Add address')}
        </button>
      </MerchantHead>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!addresses && !reading.problem && <Loading />}
      {addresses?.length === 0 && <Empty title={t('No addresses yet')} />}
      <div class="columns">
        {addresses?.map((address) => (
          <section key={address.uuid} class="panel" aria-label={address.name}>
            <div class="panel-head">
              <h2>{address.name}</h2>
              {address.is_default && <span class="tag is-accent">{t('Default')}</span>}
            </div>
            <address>
              <div>{address.address_1}</div>
              {address.address_2 && <div>{address.address_2}</div>}
              <div>
                {address.postal_code} {address.city} {address.region}
              </div>
              <div>{address.country_code}</div>
              {address.phone && <div class="muted">{address.phone}</div>}
            </address>
          </section>
        ))}
      </div>
      {isAdding && (
        <AddressDialog
          uuid={uuid}
          onClose={() => setAdding(false)}
          onDone={() => {
            setAdding(false)
            showToast(t('The address is added.'))
            reading.reload()
          }}
        />
      )}
    </>
  )
}

const FIELDS = [
  ['name', t('Name'), true],
  ['phone', t('Phone'), false],
  ['address_1', t('Street and number'), true],
  ['address_2', t('Address line 2'), false],
  ['postal_code', t('Postal code'), true],
  ['city', t('City'), true],
  ['region', t('State or region'), false],
  ['country_code', t('Country code (two letters)'), true],
] as const
type Draft = Record<(typeof FIELDS)[number][0], string>

function AddressDialog(props: { uuid: string; onClose: () => void; onDone: () => void }) {
  const [draft, setDraft] = useState<Partial<Draft>>({})
  const [is_default, setDefault] = useState(false)
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const fields = Object.fromEntries(FIELDS.map(([name]) => [name, draft[name] ?? '']))
      await addMerchantAddress(props.uuid, { ...fields, is_default } as NewMerchantAddress)
      props.onDone()
    })
  }
  return (
    <Dialog title={t('Add address')} onClose={props.onClose}>
      <form class="form" onSubmit={submit}>
        {FIELDS.map(([name, label, required]) => (
          <TextField
            key={name}
            label={label}
            name={name}
            required={required}
            problem={action.problem}
            value={draft[name] ?? ''}
            onInput={(value) => setDraft({ ...draft, [name]: value })}
          />
        ))}
        <div class="full-width">
          <Checkbox checked={is_default} onChange={setDefault}>
            {t('Use as the default shipping address')}
          </Checkbox>
        </div>
        <div class="full-width">
          <ProblemNote problem={action.problem} />
        </div>
        <div class="dialog-foot full-width">
          <button type="button" class="button" onClick={props.onClose}>
            {t('Cancel')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy}>
            {t('Save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
