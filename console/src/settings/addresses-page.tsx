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
import { confirmed } from '../parts/confirm.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { Checkbox, TextField } from '../parts/fields.tsx'
import { SettingsHead } from './head.tsx'

const FIELDS = [
  ['name', 'Name', true],
  ['phone', 'Phone', false],
  ['address_1', 'Street and number', true],
  ['address_2', 'Address line 2', false],
  ['postal_code', 'Postal code', true],
  ['city', 'City', true],
  ['region', 'State or region', false],
  ['country_code', 'Country code (two letters)', true],
] as const
type FieldValues = Record<(typeof FIELDS)[number][0], string>

/** The merchant's shipping addresses. */
export function AddressesPage() {
  const reading = useRead('addresses', (signal) => listAddresses(signal))
  const [edited, setEdited] = useState<Address | 'new'>()
  const action = useAction()
  const remove = ({ uuid, name, is_default }: Address) =>
    action.run(async () => {
      const title = `Remove the address ${name}?`
      const text = is_default
        ? 'The oldest other address becomes the default. Orders that have it keep it.'
        : 'Orders that have it keep it.'
      if (!(await confirmed({ title, text, action: 'Remove', isDanger: true }))) return
      await removeAddress(uuid)
      reading.reload()
    })
  const addresses = reading.value?.merchant_addresses
  return (
    <>
      <SettingsHead>
        <button type="button" class="button is-main" onClick={() => setEdited('new')}>
          Add address
        </button>
      </SettingsHead>
      <ProblemNote problem={action.problem ?? reading.problem} />
      {!addresses && !reading.problem && <Loading />}
      {addresses?.length === 0 && <Empty title="No addresses yet" />}
      <div class="columns">
        {addresses?.map((address) => (
          <section key={address.uuid} class="panel" aria-label={address.name}>
            <div class="panel-head">
              <h2>{address.name}</h2>
              {address.is_default && <span class="tag is-accent">Default</span>}
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
            <div class="row" style={{ marginTop: '12px' }}>
              <button type="button" class="button is-small" onClick={() => setEdited(address)}>
                Edit<span class="visually-hidden"> {address.name}</span>
              </button>
              <button
                type="button"
                class="button is-small is-quiet"
                onClick={() => void remove(address)}
              >
                Remove<span class="visually-hidden"> {address.name}</span>
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
    <Dialog title={address ? 'Edit address' : 'Add address'} onClose={onClose}>
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
            Use as the default shipping address
          </Checkbox>
        </div>
        <div class="full-width">
          <ProblemNote problem={action.problem} />
        </div>
        <div class="dialog-foot full-width">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button is-main" disabled={action.busy}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}
