/** How sources and their runs are printed for a person. */
import type { renderRun } from '../../feeds/sources/run-history.ts'
import type { renderSource } from '../../feeds/sources/source.ts'
import { tableOf } from './table.ts'

type Source = ReturnType<typeof renderSource>
type Run = ReturnType<typeof renderRun>

type ListedSource = Source & { last_failure: string | null }

export function showSources(sources: readonly ListedSource[]): string {
  const failing = sources.filter(({ last_failure }) => last_failure !== null)
  const reasons = failing.map(({ uuid, last_failure }) => `${uuid} failed: ${last_failure}`)
  const table = tableOf(
    sources,
    {
      uuid: 'UUID',
      supplier: 'Supplier',
      url: 'Address',
      every: 'Every',
      mode: 'Mode',
      state: 'State',
      failures: 'Failures',
      due_on: 'Next',
    },
    'There are no sources; add one with "pavilion source add".',
  )
  return [table, ...(reasons.length > 0 ? ['', ...reasons] : [])].join('\n')
}

export function showSource({ runs, ...source }: Source & { runs: readonly Run[] }): string {
  const signsIn = [
    source.user === null ? 'nobody' : source.user,
    ...(source.has_password ? ['a password'] : []),
    ...(source.has_key ? ['a key'] : []),
  ].join(' with ')
  const lines: [string, string | null][] = [
    ['Supplier', source.supplier],
    ['Address', source.url],
    ['Every', source.every],
    ['Mode', source.mode],
    ['Signs in', signsIn],
    ['Host key', source.host_key],
    ['Sheet', source.sheet],
    ['State', source.state],
    ['Failing since', source.failing_since],
    ['Next', source.due_on],
    ['Paused', source.paused_on],
  ]
  const known = lines.filter(([, value]) => value !== null)
  return [
    ...known.map(([name, value]) => `${name.padEnd(14)}${shown(value)}`),
    '',
    tableOf(
      runs.map((run) => ({ ...run, stones: stonesOf(run) })),
      {
        started_on: 'Run',
        outcome: 'Outcome',
        started_by: 'Started by',
        file_name: 'File',
        bytes: 'Bytes',
        stones: 'Stones',
      },
      'It has not run yet.',
    ),
    ...lastFailureOf(runs, source.uuid),
  ].join('\n')
}

/** To the minute, as in tables. */
function shown(value: string | null): string {
  return (value ?? '').replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+\+00:00$/, '$1 $2 UTC')
}

function lastFailureOf([last]: readonly Run[], uuid: string): string[] {
  if (last?.outcome !== 'failed') return []
  return ['', `The last run failed: ${last.failure ?? ''}`, ...hintsFor(last, uuid)]
}

/** What settles a failure, by its code. */
const OPTIONS = new Map([
  ['too_many_removed', '--max-removed 100%'],
  ['too_many_jumps', '--max-jumps 100%'],
  ['wrong_price_level', '--accept-prices'],
  ['reading_changed', '--relearn'],
])

function hintsFor({ code }: Run, uuid: string): string[] {
  if (code === 'address_not_allowed') {
    return ['A command has settings of its own: give it SOURCE_ALLOWED_HOSTS like the server.']
  }
  const option = OPTIONS.get(code ?? '')
  if (option === undefined) return []
  return [`If the file is right, import it once with "pavilion source run ${uuid} ${option}".`]
}

export function showRun(run: Run, uuid: string): string {
  if (run.outcome === 'failed') {
    return [`Failed: ${run.failure ?? ''}`, ...hintsFor(run, uuid)].join('\n')
  }
  const file = run.file_name ?? 'The file'
  if (run.outcome === 'unchanged') return `Unchanged: ${file} is the one that was imported last.`
  return (
    `Done: ${file}, ${stonesOf(run)}.\n` +
    `"pavilion import show ${run.import_uuid ?? ''}" shows how it was read.`
  )
}

function stonesOf({ rows, added, changed, removed, rejected }: Run): string | null {
  if (rows === null) return null
  const counts = { added, changed, removed, rejected }
  const found = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  return `${rows} rows: ${found.join(', ')}`
}
