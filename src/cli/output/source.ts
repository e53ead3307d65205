/** How sources and their runs are printed for a person. */
import type { renderRun } from '../../feeds/sources/run-store.ts'
import type { renderSource } from '../../feeds/sources/source.ts'
import { tableOf } from './table.ts'

type Source = ReturnType<typeof renderSource>
type Run = ReturnType<typeof renderRun>

export function showSources(sources: readonly Source[]): string {
  return tableOf(
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
    ...lastFailureOf(runs),
  ].join('\n')
}

/** To the minute, as in tables. */
function shown(value: string | null): string {
  return (value ?? '').replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+\+00:00$/, '$1 $2 UTC')
}

function lastFailureOf([last]: readonly Run[]): string[] {
  if (last?.outcome !== 'failed') return []
  return ['', `The last run failed: ${last.failure ?? ''}`]
}

export function showRun(run: Run): string {
  if (run.outcome === 'failed') return `Failed: ${run.failure ?? ''}`
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
