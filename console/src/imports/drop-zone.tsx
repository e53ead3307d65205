import { useState } from 'preact/hooks'
import { t } from '../language/language.ts'
import { percent } from '../lib/format.ts'

export interface Progress {
  label: string
  /** Undefined while it is unknown how much is left. */
  share: number | undefined
}

export function ProgressBar({ progress: { label, share } }: { progress: Progress }) {
  return (
    <div class="stack" role="status">
      <p>
        {label} {share === undefined ? '…' : percent(share * 100, 0)}
      </p>
      <progress
        class="progress"
        aria-label={label}
        max={1}
        {...(share !== undefined && { value: share })}
      />
    </div>
  )
}

/** Where a file is dropped or chosen. */
export function DropZone(props: {
  file: File | undefined
  title: string
  onFile: (file: File) => void
}) {
  const [isOver, setOver] = useState(false)
  const choose = (files: FileList | null | undefined) => {
    if (files?.[0]) props.onFile(files[0])
  }
  return (
    <label
      class={isOver ? 'drop is-over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        choose(event.dataTransfer?.files)
      }}
    >
      <strong>{props.file ? props.file.name : props.title}</strong>
      <span class="small">{t('CSV, XLSX, XLS, JSON, XML, HTML or ZIP, of any size')}</span>
      <input
        type="file"
        aria-label={t('Choose a file')}
        onChange={(event) => choose(event.currentTarget.files)}
      />
    </label>
  )
}
