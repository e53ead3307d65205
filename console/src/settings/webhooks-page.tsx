import { useState } from 'preact/hooks'
import { useAction, useRead } from '../api/hooks.ts'
import { mayDo } from '../api/session-store.ts'
import {
  addWebhook,
  listWebhooks,
  removeWebhook,
  rotateSecret,
  setWebhookDisabled,
  type Webhook,
} from '../api/webhooks.ts'
import { t, tIn } from '../language/language.ts'
import { confirmed } from '../parts/confirm.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Empty, Loading, ProblemNote } from '../parts/feedback.tsx'
import { TextField } from '../parts/fields.tsx'
import { SecretDialog } from '../parts/secret-dialog.tsx'
import { SettingsHead } from './head.tsx'
import { eventText, WebhookDeliveries } from './webhook-deliveries.tsx'

/** The merchant's webhooks and their deliveries. */
export function WebhooksPage() {
  const reading = useRead('webhooks', (signal) => listWebhooks(signal))
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  const webhooks = reading.value?.webhooks
  return (
    <>
      <SettingsHead>
        {mayDo('settings:write') && (
          <button type="button" class="button is-main" onClick={() => setAdding(true)}>
            {t('Add webhook')}
          </button>
        )}
      </SettingsHead>
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!webhooks && !reading.problem && <Loading />}
      {webhooks?.length === 0 && (
        <Empty title={t('No webhooks yet')}>
          <p>{t('Add a URL, and Pavilion will send it the events of your orders.')}</p>
        </Empty>
      )}
      {webhooks?.map((webhook) => (
        <WebhookPanel
          key={webhook.uuid}
          webhook={webhook}
          onChanged={reading.reload}
          onSecret={setSecret}
        />
      ))}
      {isAdding && (
        <AddDialog
          onClose={() => setAdding(false)}
          onDone={(made) => {
            setAdding(false)
            setSecret(made)
            reading.reload()
          }}
        />
      )}
      {secret && (
        <SecretDialog
          title={t('Signing secret')}
          text={t('It signs every event sent to you. Copy it now; it will not be shown again.')}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  )
}

function WebhookPanel(props: {
  webhook: Webhook
  onChanged: () => void
  onSecret: (secret: string) => void
}) {
  const { webhook } = props
  const action = useAction()
  return (
    <section class="panel" aria-label={webhook.url}>
      <div class="panel-head">
        <h2 class="mono">{webhook.url}</h2>
        {webhook.disabled && <span class="tag is-warn">{t('Off')}</span>}
        {mayDo('settings:write') && <WebhookTools {...props} action={action} />}
      </div>
      <p class="muted small">
        {/* Somebody typed it, in whatever language. */}
        {webhook.description && <span lang="und">{webhook.description} · </span>}
        {webhook.event_types ? webhook.event_types.map(eventText).join(', ') : t('All events')}
      </p>
      <ProblemNote problem={action.problem} />
      <WebhookDeliveries uuid={webhook.uuid} url={webhook.url} />
    </section>
  )
}

function WebhookTools(props: {
  webhook: Webhook
  action: ReturnType<typeof useAction>
  onChanged: () => void
  onSecret: (secret: string) => void
}) {
  const { webhook, action, onChanged, onSecret } = props
  const change = (work: () => Promise<unknown>) =>
    void action.run(async () => {
      await work()
      onChanged()
    })
  const ask = async (
    question: { title: string; text: string; action: string },
    next: () => void,
  ) => {
    if (await confirmed({ ...question, isDanger: true })) next()
  }
  const remove = {
    title: t('Remove the webhook {url}?', { url: webhook.url }),
    text: t('No more events are sent to it. What was sent, and its log, are deleted.'),
    action: t('Remove'),
  }
  const rotate = {
    title: t('Create a new signing secret?'),
    text: t(
      'For 24 hours events are signed with the previous secret, too; then only with the new.',
    ),
    action: t('Create'),
  }
  return (
    <div class="panel-tools">
      <button
        type="button"
        class="button is-small"
        onClick={() => change(() => setWebhookDisabled(webhook.uuid, !webhook.disabled))}
      >
        {webhook.disabled ? t('Turn on') : t('Turn off')}
      </button>
      <button
        type="button"
        class="button is-small"
        onClick={() =>
          void ask(rotate, () =>
            change(async () => onSecret((await rotateSecret(webhook.uuid)).secret)),
          )
        }
      >
        {t('Rotate secret')}
      </button>
      <button
        type="button"
        class="button is-small is-danger"
        onClick={() => void ask(remove, () => change(() => removeWebhook(webhook.uuid)))}
      >
        {t('Remove')}
      </button>
    </div>
  )
}

function AddDialog(props: { onClose: () => void; onDone: (secret: string) => void }) {
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () =>
      props.onDone((await addWebhook({ url: url.trim(), description })).secret),
    )
  }
  return (
    <Dialog title={t('Add webhook')} onClose={props.onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField
          label={t('URL')}
          type="url"
          required
          placeholder="https://shop.example/hooks"
          value={url}
          onInput={setUrl}
        />
        <TextField label={t('Description')} value={description} onInput={setDescription} />
        <ProblemNote problem={action.problem} />
        <div class="dialog-foot">
          <button type="button" class="button" onClick={props.onClose}>
            {t('Cancel')}
          </button>
          <button type="submit" class="button is-main" disabled={action.busy}>
            {tIn('verb', 'Add')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
