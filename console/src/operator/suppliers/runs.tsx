import { useState } from 'preact/hooks'
import { useRead } from '../../api/hooks.ts'
import { readSource, type Source, type SourceRun } from '../../api/operator/sources.ts'
import { isTranslated, t } from '../../language/language.ts'
import { count, dateTime } from '../../lib/format.ts'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { ScrollArea } from '../../parts/scroll-area.tsx'

const SHOWN = 5
const MORE = 25

/** The last runs of a source, newest first. */
export function SourceRuns({ source }: { source: Source }) {
  const [limit, setLimit] = useState(SHOWN)
  const key = `${source.uuid} ${source.state} ${source.due_on} ${limit}`
  const reading = useRead(key, (signal) => readSource(source.uuid, limit, signal))
  const { value } = reading
  if (!value) {
    if (reading.problem) return <ProblemNote problem={reading.problem} onRetry={reading.reload} />
    return <Loading rows={2} />
  }
  if (value.total === 0) return <p class="muted">{t('It has not been fetched yet.')}</p>
  return (
    <>
      <RunTable url={source.url} runs={value.runs} />
      {value.total > value.runs.length && (
        <div>
          <button
            type="button"
            class="button is-small is-quiet"
            onClick={() => setLimit(limit + MORE)}
          >
            {t('Show more of {count} runs', { count: count(value.total) })}
          </button>
        </div>
      )}
    </>
  )
}

function RunTable({ url, runs }: { url: string; runs: SourceRun[] }) {
  return (
    <ScrollArea label={t('Runs of {url}', { url })} class="wide-scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Started')}</th>
            <th scope="col">{t('Started by')}</th>
            <th scope="col">{t('Outcome')}</th>
            <th scope="col">{t('File')}</th>
            <th scope="col">{t('Result')}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.uuid}>
              <td>{dateTime(run.started_on)}</td>
              <td>{run.started_by === 'schedule' ? t('the schedule') : t('the operator')}</td>
              <td>
                <RunOutcome outcome={run.outcome} />
              </td>
              <td>
                {run.import_uuid ? (
                  <a href={`/operator/imports/${run.import_uuid}`}>
                    {run.file_name || t('Unnamed file')}
                  </a>
                ) : (
                  run.file_name
                )}
              </td>
              <td>
                <RunResult run={run} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

const OUTCOMES = {
  done: ['is-good', t('done')],
  unchanged: ['', t('unchanged')],
  failed: ['is-bad', t('failed')],
} as const

function RunOutcome({ outcome }: Pick<SourceRun, 'outcome'>) {
  const [tone, label] = outcome ? OUTCOMES[outcome] : ['is-accent', t('running')]
  return <span class={`tag ${tone}`}>{label}</span>
}

/** What a run did, or why it failed, as a sentence. */
export function RunResult({ run }: { run: SourceRun }) {
  if (run.outcome === 'failed') return <RunFailure run={run} />
  if (run.outcome === 'unchanged') return <>{t('The file is the one that was imported last.')}</>
  if (run.rows === null) return null
  const number = (value: number | null) => count(value ?? 0)
  return (
    <>
      {t('{rows} rows: {added} new, {changed} changed, {removed} removed, {rejected} rejected.', {
        rows: number(run.rows),
        added: number(run.added),
        changed: number(run.changed),
        removed: number(run.removed),
        rejected: number(run.rejected),
      })}
    </>
  )
}

/** The server's own sentence is in English and has the details; its code is translated. */
function RunFailure({ run: { code, failure } }: { run: SourceRun }) {
  const named = [`problem: run ${code}`, `problem: ${code}`].find(isTranslated)
  return (
    <>
      {named && <div>{t(named)}</div>}
      <div lang="en" class={named ? 'muted small' : undefined}>
        {failure}
      </div>
    </>
  )
}
