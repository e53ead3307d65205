import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Address, AddressBook, NewAddress } from '../api/addresses.ts'
import { useAction, useRead } from '../api/hooks.ts'
import type { OrderAddress } from '../api/orders.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { confirmed } from './confirm.tsx'
import { Dialog } from './dialog.tsx'
import { Empty, Loading, ProblemNote } from './feedback.tsx'
import { Checkbox, TextField } from './fields.tsx'
import { showToast } from './toast.tsx'

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

/** The operator's scope for merchants, which a merchant's own scope for settings contains. */
const mayChange = () => mayDo('merchants:write')

/** The shipping addresses of a merchant, to add, change and remove. */
export function Addresses(props: {
  book: AddressBook
  /** The head of the page around its button. */
  head: (button: ComponentChildren) => ComponentChildren
}) {
  const { book } = props
  const reading = useRead(`addresses ${book.id}`, (signal) => book.list(signal))
  const [edited, setEdited] = useState<Address | 'new'>()
  const action = useAction()
  const remove = (address: Address) =>
    void action.run(async () => {
      if (!(await isRemovalConfirmed(address))) return
      await book.remove(address.uuid)
      reading.reload()
    })
  const addresses = reading.value
  return (
    <>
      {props.head(
        mayChange() && (
          <button type="button" class="button is-main" onClick={() => setEdited('new')}>
            {t('Add address')}
          </button>
        ),
      )}
      <ProblemNote problem={action.problem} />
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!addresses && !reading.problem && <Loading />}
      {addresses?.length === 0 && <Empty title={t('No addresses yet')} />}
      <div class="columns">
        {addresses?.map((address) => (
          <AddressPanel
            key={address.uuid}
            address={address}
            onEdit={() => setEdited(address)}
            onRemove={() => remove(address)}
          />
        ))}
      </div>
      {edited && (
        <AddressDialog
          book={book}
          address={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onDone={() => {
            showToast(edited === 'new' ? t('The address is added.') : t('The address is changed.'))
            setEdited(undefined)
            reading.reload()
          }}
        />
      )}
    </>
  )
}

function isRemovalConfirmed({ name, is_default }: Address): Promise<boolean> {
  const title = t('Remove the address {name}?', { name })
  const text = is_default
    ? t('The oldest other address becomes the default. Orders that have it keep it.')
    : t('Orders that have it keep it.')
  return confirmed({ title, text, action: t('Remove'), isDanger: true })
}

function AddressPanel(props: { address: Address; onEdit: () => void; onRemove: () => void }) {
  const { address } = props
  return (
    <section class="panel" aria-label={address.name}>
      <div class="panel-head">
        <h2>{address.name}</h2>
        {address.is_default && <span class="tag is-accent">{t('Default')}</span>}
      </div>
      <AddressLines address={address} />
      {mayChange() && (
        <div class="row" style={{ marginTop: '12px' }}>
          <button type="button" class="button is-small" onClick={props.onEdit}>
            {t('Edit')}
            <span class="visually-hidden"> {address.name}</span>
          </button>
          <button type="button" class="button is-small is-quiet" onClick={props.onRemove}>
            {t('Remove')}
            <span class="visually-hidden"> {address.name}</span>
          </button>
        </div>
      )}
    </section>
  )
}

/** An address as it is written on a parcel, without the name. */
export function AddressLines({ address }: { address: OrderAddress & { phone?: string } }) {
  const { postal_code, city, region, phone } = address
  const lines = [
    address.address_1,
    address.address_2,
    [postal_code, city, region].filter(Boolean).join(' '),
    address.country_code,
  ].filter(Boolean)
  if (lines.length === 0) return <p class="muted">{t('Not known')}</p>
  return (
    <address>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
      {phone && <div class="muted">{phone}</div>}
    </address>
  )
}

function AddressDialog(props: {
  book: AddressBook
  address: Address | undefined
  onClose: () => void
  onDone: () => void
}) {
  const { book, address, onClose, onDone } = props
  const [draft, setDraft] = useState<Partial<NewAddress>>(address ?? {})
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const fields = Object.fromEntries(FIELDS.map(([name]) => [name, draft[name] ?? '']))
      const body = { ...(fields as FieldValues), is_default: draft.is_default ?? false }
      if (address) await book.change(address.uuid, body)
      else await book.add(body)
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
