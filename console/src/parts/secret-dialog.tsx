import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { t } from '../language/language.ts'
import { Dialog } from './dialog.tsx'

/** Shows a secret that will not be shown again, with a button to copy it. */
export function SecretDialog(props: {
  title: string
  text: string
  secret: string
  onClose: () => void
  /** What else can be done with it. */
  children?: ComponentChildren
}) {
  const { title, text, secret, onClose } = props
  const [isCopied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <Dialog title={title} isKept onClose={onClose}>
      <p>{text}</p>
      <div class="secret">
        <code class="mono">{secret}</code>
        <button type="button" class="button is-small" onClick={() => void copy()}>
          {isCopied ? t('Copied') : t('Copy')}
        </button>
      </div>
      <div class="dialog-foot">
        {props.children}
        <button type="button" class="button is-main" onClick={onClose}>
          {t('Done')}
        </button>
      </div>
    </Dialog>
  )
}
