import { useState } from 'preact/hooks'
import { useAction, useRead } from '../api/hooks.ts'
import {
  type Address,
  addAddress,
  changeAddress,
  listAddresses,
  type NewAddress,
  removeAddress,
} from '../api/settings.ts'
import { t } from '../language/language.ts'
import { confirmed } from '../parts/confirm.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Checkbox, TextField } from '../parts/fields.tsx'
import { SettingsHead } from './head.tsx'

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
type FieldValues = Record<(typeof FIELDS)[number][0], string>

/** The merchant's shipping addresses. */
export function AddressesPage() {
  const reading = useRead('addresses', (signal) => listAddresses(signal))
  const [edited, setEdited] = useState<Address | 'new'>()
  const action = useAction()
  const remove = ({ uuid, name, is_default }: Address) =>
    action.run(async () => {
      const title = t('Remove the address {name}?', { name })
      const text = is_default
        ? t('The oldest other address becomes the default. Orders that have it keep it.')
        : t('Orders that have it keep it.')
      if (!(await confirmed({ title, text, action: t('Remove'), isDanger: true }))) return
      await removeAddress(uuid)
      reading.reload()
    })
  const addresses = reading.value?.merchant_addresses
  return (
    <>
      <SettingsHead>
        <button type="button" class="button is-main" onClick={() => setEdited('new')}>
          {t('Add address')}
        </button>
      </SettingsHead>
      <ProblemNote problem={action.problem ?? reading.problem} />
      {!addresses && !reading.problem && <Loading />}
      {addresses?.length === 0 && <Empty title={t('No addresses yet')} />}
      <div class="columns">
        {addresses?.map((address) => (
          <section key={address.uuid} class="panel" aria-label={address.name}>
            <div class="panel-head">
              <h2>{address.name}</h2>
              {address.is_default && <span class="tag is-accent">{t('Default')}</span>}
            </div>
            <AddressLines address={address} />
            <div class="row" style={{ marginTop: '12px' }}>
              <button type="button" class="button is-small" onClick={() => setEdited(address)}>
                {t('Edit')}
                <span class="visually-hidden"> {address.name}</span>
              </button>
              <button
                type="button"
                class="button is-small is-quiet"
                onClick={() => void remove(address)}
              >
                {t('Remove')}
                <span class="visually-hidden"> {address.name}</span>
              </button>
            </div>
          </section>
        ))}
      </div>
      {edited && (
        <AddressDialog
          address={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onDone={() => {
            setEdited(undefined)
            reading.reload()
          }}
        />
      )}
    </>
  )
}

function AddressLines({ address }: { address: Address }) {
  return (
    <address>
      <div>{address.address_1}</div>
      {address.address_2 && <div>{address.address_2}</div>}
      <div>
        {address.postal_code} {address.city} {address.region}
      </div>
      <div>{address.country_code}</div>
      {address.phone && <div class="muted">{address.phone}</div>}
    </address>
  )
}

function AddressDialog(props: {
  address: Address | undefined
  onClose: () => void
  onDone: () => void
}) {
  const { address, onClose, onDone } = props
  const [draft, setDraft] = useState<Partial<NewAddress>>(address ?? {})
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const fields = Object.fromEntries(FIELDS.map(([name]) => [name, draft[name] ?? '']))
      const body = { ...(fields as FieldValues), is_default: draft.is_default ?? false }
      if (address) await changeAddress(address.uuid, body)
      else await addAddress(body)
      onDone()
    })
  }
  return (
    <Dialog title={address ? t('Edit address') : t('Add address')} onClose={onClose}>
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
          <Checkbox
            checked={draft.is_default ?? false}
            onChange={(is_default) => setDraft({ ...draft, is_default })}
          >
            {t('Use as the default shipping address')}
          </Checkbox>
        </div>
        <div class="full-width">
          <ProblemNote problem={action.problem} />
        </div>
        <div class="dialog-foot full-width">
          <button type="button" class="button" onClick={onClose}>
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
