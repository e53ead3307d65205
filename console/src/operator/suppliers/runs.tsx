import { useRead } from '../../api/hooks.ts'
import { readSource, type Source, type SourceRun } from '../../api/operator/sources.ts'
import { isTranslated, t } from '../../language/language.ts'
import { count, dateTime, plural } from '../../lib/format.ts'
import { useLocation, withParams } from '../../lib/router.ts'
import type { Cell } from '../../lib/workbook.ts'
import { Loading, ProblemNote } from '../../parts/feedback.tsx'
import { ChoiceFilter } from '../../parts/table/choice-filter.tsx'
import { ListTable } from '../../parts/table/list-table.tsx'
import {
  PagedExport,
  type PagedList,
  PagedRows,
  usePagedList,
} from '../../parts/table/paged-list.tsx'

/** When a source ran last, and the way to all of its runs. */
export function LastRun({ source, version }: { source: Source; version: string }) {
  const reading = useRead(`${source.uuid} ${version}`, (signal) =>
    readSource(source.uuid, { limit: 1 }, signal),
  )
  if (!reading.value) {
    if (reading.problem) return <ProblemNote problem={reading.problem} onRetry={reading.reload} />
    return <Loading rows={1} />
  }
  const { runs, total } = reading.value
  if (total === 0) return <NoRuns />
  const [run] = runs
  return (
    <div class="row">
      <span class="muted">{dateTime(run.started_on)}</span>
      <RunOutcome outcome={run.outcome} />
      <span>
        <RunResult run={run} />
      </span>
      <a class="button is-small" href={withParams({ source: source.uuid })}>
        {t('Show {runs}', { runs: plural(total, 'run') })}
      </a>
    </div>
  )
}

function NoRuns() {
  return <p class="muted">{t('It has not been fetched yet.')}</p>
}

/** The heads of the table; the names are those of the interface. */
const HEADS = [
  ['started_on', t('Started')],
  ['started_by', t('Started by')],
  ['outcome', t('Outcome')],
  ['file_name', t('File')],
  ['rows', t('Result'), { first: 'desc' }],
] as const
const SORTS = HEADS.map(([by]) => by)

const COLUMNS: readonly (readonly [string, (run: SourceRun) => Cell])[] = [
  [t('Started'), ({ started_on }) => started_on],
  [t('Finished'), ({ finished_on }) => finished_on],
  [t('Started by'), ({ started_by }) => started_by],
  [t('Outcome'), ({ outcome }) => outcome],
  [t('File'), ({ file_name }) => file_name],
  [t('Bytes'), ({ bytes }) => bytes],
  [t('Rows'), ({ rows }) => rows],
  [t('New'), ({ added }) => added],
  [t('Changed'), ({ changed }) => changed],
  [t('Removed'), ({ removed }) => removed],
  [t('Rejected'), ({ rejected }) => rejected],
  [t('Reason'), ({ failure }) => failure],
]

const OUTCOME_NAMES = ['done', 'unchanged', 'failed'] as const
const STARTERS = { schedule: t('the schedule'), operator: t('the operator') }
const STARTED = [
  ['', t('Scheduled and by hand')],
  ['schedule', t('Scheduled')],
  ['operator', t('By hand')],
] as const

/** The runs of a source, newest first unless sorted otherwise. */
export function SourceRuns({ source, version }: { source: Source; version: string }) {
  const { params } = useLocation()
  const outcome = OUTCOME_NAMES.find((each) => each === params.get('outcome'))
  const started_by = STARTED.find(([each]) => each === params.get('by'))?.[0] || undefined
  const list = usePagedList({
    filters: { outcome, started_by },
    sorts: SORTS,
    idOf: ({ uuid }: SourceRun) => uuid,
    version,
    read: async (query, signal) => {
      const { runs, total } = await readSource(source.uuid, query, signal)
      return { rows: runs, total }
    },
  })
  if (list.total === 0 && !outcome && !started_by) return <NoRuns />
  return (
    <div class="stack">
      <div class="row">
        {list.total !== undefined && <span class="muted">{plural(list.total, 'run')}</span>}
        <ChoiceFilter
          name="outcome"
          label={t('Outcome')}
          options={[
            ['', t('Any outcome')],
            ...OUTCOME_NAMES.map((each) => [each, OUTCOMES[each][1]] as const),
          ]}
        />
        <ChoiceFilter name="by" label={t('Started by')} options={STARTED} />
        <PagedExport list={list} name={t('runs.csv')} columns={COLUMNS} />
      </div>
      <PagedRows list={list} empty={t('No runs found')}>
        <RunTable url={source.url} list={list} />
      </PagedRows>
    </div>
  )
}

function RunTable({ url, list }: { url: string; list: PagedList<SourceRun> }) {
  return (
    <ListTable
      label={t('Runs of {url}', { url })}
      class="wide-scroll"
      heads={HEADS}
      rows={list.rows}
      selection={list.selection}
      nameOf={({ started_on }) => dateTime(started_on)}
    >
      {(run) => (
        <>
          <td>{dateTime(run.started_on)}</td>
          <td>{STARTERS[run.started_by]}</td>
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
        </>
      )}
    </ListTable>
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
