import { useState } from 'preact/hooks'
import { useAction } from '../api/hooks.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { date, plural } from '../lib/format.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProblemNote } from '../parts/feedback.tsx'
import { SelectField, TextField } from '../parts/fields.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { TextArea } from '../parts/text-area.tsx'
import { createShare, type NewShare } from './requests.ts'

const LIVES = ['1', '7', '14', '30', '90'] as const
type Life = (typeof LIVES)[number]
const LIFE_OPTIONS = LIVES.map((days) => [days, plural(Number(days), 'day')] as const)

/** Makes a link that shows stones to a customer, at retail prices and until it ends. */
export function ShareButton({ skus }: { skus: readonly string[] }) {
  const [isOpen, setOpen] = useState(false)
  if (!mayDo('orders:write')) return null
  return (
    <>
      <button
        type="button"
        class="button is-small"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('Share')}
      </button>
      {isOpen && <ShareDialog skus={skus} onClose={() => setOpen(false)} />}
    </>
  )
}

function ShareDialog({ skus, onClose }: { skus: readonly string[]; onClose: () => void }) {
  const [days, setDays] = useState<Life>('14')
  const [title, setTitle] = useState('')
  const [note, setNote] = useState('')
  const [made, setMade] = useState<NewShare>()
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const typed = { title: title.trim(), note: note.trim() }
      setMade(
        await createShare({
          skus: [...skus],
          expires_in_days: Number(days),
          ...(typed.title && { title: typed.title }),
          ...(typed.note && { note: typed.note }),
        }),
      )
    })
  }
  if (made) return <MadeDialog made={made} onClose={onClose} />
  return (
    <Dialog title={t('Share with a customer')} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>
          {t('Makes a page that shows {stones} at your retail prices.', {
            stones: plural(skus.length, 'stone'),
          })}{' '}
          {t('It says nothing of what you pay, nor of suppliers.')}
        </p>
        <SelectField
          label={t('The link works for')}
          value={days}
          options={LIFE_OPTIONS}
          onChange={setDays}
        />
        <TextField
          label={t('Heading (optional)')}
          name="title"
          problem={action.problem}
          value={title}
          onInput={setTitle}
        />
        <TextArea
          label={t('Note to the customer (optional)')}
          name="note"
          problem={action.problem}
          rows={3}
          value={note}
          onInput={setNote}
        />
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy}>
            {t('Create link')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function MadeDialog({ made, onClose }: { made: NewShare; onClose: () => void }) {
  return (
    <SecretDialog
      title={t('Link for your customer')}
      text={t('Copy the link now. It will not be shown again, and works until {date}.', {
        date: date(made.expires_on),
      })}
      secret={made.url}
      onClose={onClose}
    >
      <a class="button" href={made.url} target="_blank" rel="noreferrer noopener">
        {t('Open the page')}
      </a>
      <a class="button" href={`${made.url}/stones.pdf`} target="_blank" rel="noreferrer noopener">
        {t('Open the PDF')}
      </a>
    </SecretDialog>
  )
}
