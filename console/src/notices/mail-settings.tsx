import { KINDS_OF, labelOf, type NoticeKind } from '../../../src/reference/notice-kinds.ts'
import { useAction, useRead } from '../api/hooks.ts'
import { readMailSwitches, switchMails } from '../api/notices.ts'
import { session } from '../api/session-store.ts'
import { t } from '../language/language.ts'
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
      const about = t(labelOf(kind))
      showToast(
        isOn
          ? t('E-mails about {about} are on.', { about })
          : t('E-mails about {about} are off.', { about }),
      )
      reading.reload()
    })
  return (
    <section class="panel" aria-label={t('E-mails')}>
      <h2>{t('E-mails')}</h2>
      <p class="muted">
        {signedIn?.user
          ? t('Where the market sends e-mails, these notices also go to {email}.', {
              email: signedIn.user.email,
            })
          : t('Where e-mails are sent, these go to every user who has not decided otherwise.')}
      </p>
      <ProblemNote problem={action.problem ?? reading.problem} onRetry={reading.reload} />
      {switches &&
        KINDS_OF[signedIn?.role ?? 'merchant'].map((kind) => (
          <Checkbox
            key={kind}
            checked={switches[kind] ?? true}
            onChange={(isOn) => change(kind, isOn)}
          >
            {t(labelOf(kind))}
          </Checkbox>
        ))}
    </section>
  )
}
