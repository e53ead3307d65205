import { KINDS_OF, labelOf, type NoticeKind } from '../../../src/reference/notice-kinds.ts'
import { useAction, useRead } from '../api/hooks.ts'
import { readMailSwitches, switchMails } from '../api/notices.ts'
import { session } from '../api/session-store.ts'
import { ProblemNote } from '../parts/feedback.tsx'
import { Checkbox } from '../parts/fields.tsx'
import { showToast } from '../parts/toast.tsx'

/** Which kinds of notices are also sent by e-mail: to the user, or to all who have not decided. */
export function MailSettings() {
  const signedIn = session.get()
  const reading = useRead('mail switches', (signal) => readMailSwitches(signal))
  const action = useAction()
  const switches = reading.value
  const change = (kind: NoticeKind, isOn: boolean) =>
    void action.run(async () => {
      await switchMails({ [kind]: isOn })
      showToast(`E-mails about ${labelOf(kind)} are ${isOn ? 'on' : 'off'}.`)
      reading.reload()
    })
  return (
    <section class="panel" aria-label="E-mails">
      <h2>E-mails</h2>
      <p class="muted">
        {signedIn?.user
          ? `These notices are also sent to ${signedIn.user.email}.`
          : 'These notices are also sent to every user who has not decided otherwise.'}
      </p>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {switches &&
        KINDS_OF[signedIn?.role ?? 'merchant'].map((kind) => (
          <Checkbox
            key={kind}
            checked={switches[kind] ?? true}
            onChange={(isOn) => change(kind, isOn)}
          >
            {labelOf(kind)}
          </Checkbox>
        ))}
    </section>
  )
}
