import { useState } from 'preact/hooks'
import { ROLES } from '../../../../src/reference/roles.ts'
import { useAction } from '../../api/hooks.ts'
import { type InvitedMerchantUser, inviteMerchantUser } from '../../api/operator/merchants.ts'
import { t } from '../../language/language.ts'
import { humanize } from '../../lib/format.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNote } from '../../parts/feedback.tsx'
import { SelectField, TextField } from '../../parts/fields.tsx'

/** Invites somebody to work for the merchant. */
export function InviteDialog(props: {
  uuid: string
  onClose: () => void
  onDone: (user: InvitedMerchantUser) => void
}) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<(typeof ROLES.merchant)[number]>('owner')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const named = name.trim() === '' ? {} : { name: name.trim() }
      const invitation = { email: email.trim(), role, merchant_uuid: props.uuid, ...named }
      props.onDone(await inviteMerchantUser(invitation))
    })
  }
  return (
    <Dialog title={t('Invite a user')} onClose={props.onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField
          label={t('E-mail address')}
          type="email"
          required
          name="email"
          problem={action.problem}
          value={email}
          onInput={setEmail}
        />
        <TextField label={t('Name')} value={name} onInput={setName} />
        <SelectField
          label={t('Role')}
          value={role}
          options={ROLES.merchant.map((each) => [each, humanize(each)] as const)}
          onChange={setRole}
        />
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={props.onClose}>
            {t('Cancel')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy || email === ''}>
            {t('Invite')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
