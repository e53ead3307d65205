import { useState } from 'preact/hooks'

/** Something that is shown once, with a button to copy it. */
export function Secret({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <div class="secret">
      <code class="mono">{text}</code>
      <button type="button" class="button is-small" onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}
