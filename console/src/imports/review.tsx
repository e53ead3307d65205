import type { ComponentChildren } from 'preact'
import { t } from '../language/language.ts'
import { Spinner } from '../parts/feedback.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import type { Sample } from './file-sample.ts'

/** The buttons below the result of a check: nothing has been changed until then. */
export function ReviewFoot(props: {
  busy: boolean
  isCorrected: boolean
  /** Whether something else than what is chosen now was checked. */
  isStale: boolean
  onRecheck: () => void
  onImport: () => void
  children?: ComponentChildren
}) {
  const { busy, isStale } = props
  return (
    <div class="row">
      <button
        type="button"
        class="button is-main"
        disabled={busy || isStale}
        onClick={props.onImport}
      >
        {busy && <Spinner />} {t('Import')}
      </button>
      <button
        type="button"
        class="button"
        disabled={busy || !props.isCorrected}
        onClick={props.onRecheck}
      >
        {t('Check again with your mapping')}
      </button>
      {props.children}
      <span class="muted small" role="status">
        {isStale
          ? t('What you chose has changed since the check: check the file again.')
          : t('Nothing has been changed yet.')}
      </span>
    </div>
  )
}

export function SampleTable({ sample }: { sample: Sample }) {
  return (
    <details open>
      <summary>{t('First rows of the file')}</summary>
      <ScrollArea class="wide-scroll small" label={t('First rows of the file')}>
        <table>
          <thead>
            <tr>
              {sample.header.map((name, index) => (
                <th key={index} scope="col" class="mono">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sample.rows.map((row, index) => (
              <tr key={index}>
                {sample.header.map((_, cell) => (
                  <td key={cell} class="mono">
                    {row[cell]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </details>
  )
}
