import { useEffect, useState } from 'preact/hooks'
import { useAction, useRead } from '../../api/hooks.ts'
import {
  listSources,
  pauseSource,
  removeSource,
  resumeSource,
  type Source,
} from '../../api/operator/sources.ts'
import type { Supplier } from '../../api/operator/suppliers.ts'
import { mayDo } from '../../api/session-store.ts'
import { t } from '../../language/language.ts'
import { fromNow, isPast } from '../../lib/format.ts'
import { useLocation, withParams } from '../../lib/router.ts'
import { confirmed } from '../../parts/confirm.tsx'
import { Empty, Loading, ProblemNote } from '../../parts/feedback.tsx'
import { showToast } from '../../parts/toast.tsx'
import { RunDialog } from './run-dialog.tsx'
import { LastRun, SourceRuns } from './runs.tsx'
import { SourceDialog } from './source-dialog.tsx'

type Opened = { kind: 'edit' | 'run'; source: Source } | { kind: 'add' }

/** Where the files of a supplier are fetched from, and what became of them. */
export function SupplierSources({ supplier }: { supplier: Supplier }) {
  const { name } = supplier
  const reading = useSources(name)
  const [opened, setOpened] = useState<Opened>()
  const [changes, setChanges] = useState(0)
  const done = (text: string) => {
    setOpened(undefined)
    setChanges(changes + 1)
    showToast(text)
    reading.reload()
  }
  const close = () => setOpened(undefined)
  const sources = reading.value?.sources
  const uuid = useLocation().params.get('source')
  const chosen = sources?.find((each) => each.uuid === uuid || sources.length === 1)
  return (
    <div class="stack">
      {mayDo('inventory') && (
        <div>
          <button type="button" class="button is-main" onClick={() => setOpened({ kind: 'add' })}>
            {t('Add source')}
          </button>
        </div>
      )}
      <ProblemNote problem={reading.problem} onRetry={reading.reload} />
      {!sources && !reading.problem && <Loading rows={2} height={120} />}
      {sources?.length === 0 && (
        <Empty title={t('No sources yet')}>
          <p class="muted">
            {t('A source fetches the file of the supplier by itself, as often as you say.')}
          </p>
        </Empty>
      )}
      {chosen && sources && sources.length > 1 && (
        <div>
          <a class="button" href={withParams(ALL_SOURCES)}>
            {t('Show all sources')}
          </a>
        </div>
      )}
      {(chosen ? [chosen] : sources)?.map((source) => (
        <SourcePanel
          key={source.uuid}
          source={source}
          isAlone={source === chosen}
          version={`${source.state} ${source.due_on} ${changes}`}
          onOpen={setOpened}
          onDone={done}
        />
      ))}
      {opened?.kind === 'add' && (
        <SourceDialog
          supplier={name}
          onClose={close}
          onDone={() => done(t('The source is added, and fetched at once.'))}
        />
      )}
      {opened?.kind === 'edit' && (
        <SourceDialog
          supplier={name}
          source={opened.source}
          onClose={close}
          onDone={() => done(t('Saved. The source is fetched at once.'))}
        />
      )}
      {opened?.kind === 'run' && <RunDialog source={opened.source} onClose={close} onDone={done} />}
    </div>
  )
}

/** How often the page looks what became of a file that is being fetched. */
const FETCHING_MS = 3_000

/** The sources of a supplier, read again while one of them is fetched. */
function useSources(supplier: string) {
  const reading = useRead(supplier, (signal) => listSources(supplier, signal))
  const { value, reload } = reading
  const isFetching = value?.sources.some(isRunningOrDue) ?? false
  useEffect(() => {
    if (!isFetching) return
    const timer = setInterval(reload, FETCHING_MS)
    return () => clearInterval(timer)
  }, [isFetching, reload])
  return reading
}

function isRunningOrDue({ state, paused_on, due_on }: Source): boolean {
  return state === 'running' || (paused_on === null && due_on !== null && isPast(due_on))
}

const STATES: Record<Source['state'], readonly [tone: string, label: string]> = {
  active: ['is-good', t('active')],
  running: ['is-accent', t('running')],
  failing: ['is-bad', t('failing')],
  paused: ['is-warn', t('paused')],
}

/** Leads from the runs of one source back to all of them. */
const ALL_SOURCES = {
  source: undefined,
  outcome: undefined,
  by: undefined,
  sort: undefined,
  offset: undefined,
}

function SourcePanel(props: {
  source: Source
  /** Whether it is the only one on the page, which then lists its runs. */
  isAlone: boolean
  /** Changes when there may be another run. */
  version: string
  onOpen: (opened: Opened) => void
  onDone: (text: string) => void
}) {
  const { source, version, onOpen, onDone } = props
  const Runs = props.isAlone ? SourceRuns : LastRun
  const [tone, state] = STATES[source.state]
  return (
    <section class="panel stack" aria-label={t('Source {url}', { url: source.url })}>
      <div class="row">
        <h2 class="mono">{source.url}</h2>
        <span class={`tag ${tone}`}>{state}</span>
      </div>
      <SourceFacts source={source} />
      {mayDo('inventory') && <SourceTools source={source} onOpen={onOpen} onDone={onDone} />}
      <Runs source={source} version={version} />
    </section>
  )
}

function SourceFacts({ source }: { source: Source }) {
  const { every, mode, user, has_password, has_key, host_key, sheet, failures } = source
  const facts: [string, string | null][] = [
    [t('Fetched'), everyText(every)],
    [t('Next'), source.due_on ? fromNow(source.due_on) : t('when it is resumed')],
    [t('Mode'), mode === 'replace' ? t('replaces the stock') : t('updates the stock')],
    [t('Signs in as'), user],
    [t('Stored secrets'), secretsText(has_password, has_key)],
    [t('Fingerprint'), host_key],
    [t('Sheet'), sheet],
    [t('Failing since'), failures > 0 ? fromNow(source.failing_since) : null],
  ]
  return (
    <dl class="facts">
      {facts.map(([label, value]) =>
        value === null ? null : (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

function secretsText(hasPassword: boolean, hasKey: boolean): string | null {
  if (hasPassword && hasKey) return t('a password and a key')
  if (hasPassword) return t('a password')
  return hasKey ? t('a key') : null
}

/** `2h` as `every 2 hours`. */
function everyText(every: string): string {
  const count = every.slice(0, -1)
  const unit = every.at(-1)
  if (unit === 'm') return count === '1' ? t('every minute') : t('every {count} minutes', { count })
  if (unit === 'h') return count === '1' ? t('every hour') : t('every {count} hours', { count })
  if (unit === 'd') return count === '1' ? t('every day') : t('every {count} days', { count })
  return t('every {count} seconds', { count })
}

function SourceTools(props: {
  source: Source
  onOpen: (opened: Opened) => void
  onDone: (text: string) => void
}) {
  const { source, onOpen, onDone } = props
  const action = useAction()
  const isPaused = source.paused_on !== null
  const turn = () =>
    void action.run(async () => {
      await (isPaused ? resumeSource(source.uuid) : pauseSource(source.uuid))
      onDone(isPaused ? t('The source is resumed.') : t('The source is paused.'))
    })
  const remove = () =>
    void action.run(async () => {
      if (!(await isRemovalMeant(source))) return
      await removeSource(source.uuid)
      onDone(t('The source is removed.'))
    })
  return (
    <>
      <ProblemNote problem={action.problem} />
      <div class="row">
        <button
          type="button"
          class="button is-small"
          onClick={() => onOpen({ kind: 'run', source })}
        >
          {t('Run now')}
        </button>
        <button type="button" class="button is-small" disabled={action.busy} onClick={turn}>
          {isPaused ? t('Resume') : t('Pause')}
        </button>
        <button
          type="button"
          class="button is-small"
          onClick={() => onOpen({ kind: 'edit', source })}
        >
          {t('Change')}
        </button>
        <button
          type="button"
          class="button is-small is-danger"
          disabled={action.busy}
          onClick={remove}
        >
          {t('Remove')}
        </button>
      </div>
    </>
  )
}

function isRemovalMeant({ url }: Source): Promise<boolean> {
  return confirmed({
    title: t('Remove this source?'),
    text: t('{url} is no longer fetched, and its runs are forgotten. What it imported stays.', {
      url,
    }),
    action: t('Remove'),
    isDanger: true,
  })
}
