/**
 * Runs a source once: fetches its file, and imports it unless it is the one that was imported last.
 * The brakes of imports hold: a file that they refuse is a failed run, and nothing is changed.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { isOutage } from '../../database/errors.ts'
import type { Database, Db } from '../../database/open.ts'
import { SecretKeyError, type Secrets } from '../../database/secrets/secrets.ts'
import type { RunOutcome } from '../../database/tables/sources.ts'
import { Refusal } from '../../lib/refusal.ts'
import { UPLOAD_MEGABYTES } from '../../lib/settings.ts'
import type { ImportReport, ImportRequest } from '../importing/report.ts'
import { runImport } from '../importing/run-import.ts'
import type { MappingFile } from '../mapping/mapping-file.ts'
import { FetchError } from './fetching/fetch-error.ts'
import { fetchFile } from './fetching/fetch-file.ts'
import {
  FETCH_DEFAULTS,
  type FetchRequest,
  type FetchResult,
  type FetchSettings,
} from './fetching/fetch-settings.ts'
import { openSpool, type Spool } from './fetching/spool.ts'
import { hasDate, isRenewed, isStockStale, renewStock } from './freshness.ts'
import { needsReimport } from './reimport.ts'
import { type FeedSourceRun, findRun } from './run-history.ts'
import {
  type ClaimedSource,
  claimSource,
  finishRun,
  RENEW_MS,
  type RunEnd,
  type RunResult,
  renewLease,
  withdrawRun,
} from './run-store.ts'
import { type FeedSource, secretRowOf } from './source.ts'
import { getSource } from './source-store.ts'

/** How sources are fetched; what is not given is as measured or chosen in `fetching/`. */
export interface SourceSettings extends Partial<Omit<FetchSettings, 'allowedHosts'>> {
  /** Hosts that may be in a private network. */
  allowedHosts: readonly string[]
  /** How long the operator's run waits for one that has begun; shorter in tests. */
  waitMs?: number
  onError?: (error: unknown) => void
}

/** What the operator may settle for one run, when an import was refused. */
export interface RunOptions
  extends Pick<
    ImportRequest,
    'currency' | 'maxRemovedShare' | 'maxJumpsShare' | 'price' | 'acceptPrices' | 'relearn'
  > {
  /** Import the file even if it is the one that was imported last. */
  force?: boolean
}

export interface SourceRunner {
  db: Db
  /** The pool of imports: a run keeps one of its connections while it imports. */
  imports: Database
  secrets: Secrets
  settings: SourceSettings
  /** Called after each run that was recorded, by the schedule or the operator. */
  onRun?: (run: EndedRun) => void
}

/** What a log may know of a run: nothing in it is a secret. */
export interface EndedRun {
  outcome: RunOutcome
  source: string
  supplier: string
  code?: string
  failure?: string
}

/** How long the operator's run waits for one that has begun, and how often it looks. */
const WAIT_MS_MAX = 10 * 60_000
const WAIT_STEP_MS = 200

/**
 * Runs a source for the operator, and returns the run. When it is running already, that run is
 * waited for and returned, unless the operator settles something that it did not know.
 */
export async function runSourceNow(
  runner: SourceRunner,
  uuid: string,
  options: RunOptions,
): Promise<FeedSourceRun> {
  const { db } = runner
  const isPlain = Object.values(options).every((value) => value === undefined || value === false)
  const endsAt = performance.now() + (runner.settings.waitMs ?? WAIT_MS_MAX)
  for (;;) {
    const claimed = await claimSource(db, uuid)
    if (claimed) {
      await runClaimed(runner, claimed, { options, stop: new AbortController().signal })
      return getRun(db, claimed.runUuid, uuid)
    }
    const { run_uuid: running } = await getSource(db, uuid)
    while (running !== null && (await getSource(db, uuid)).run_uuid === running) {
      if (performance.now() > endsAt) {
        throw new Refusal('source_running', 'The source is still running; try again later.')
      }
      await sleep(WAIT_STEP_MS)
    }
    const ended = running !== null && isPlain ? await findRun(db, running) : undefined
    if (ended && ended.outcome !== null) return ended
  }
}

async function getRun(db: Db, runUuid: string, sourceUuid: string): Promise<FeedSourceRun> {
  const run = await findRun(db, runUuid)
  if (run) return run
  throw new Refusal('not_found', `There is no source ${sourceUuid} any more.`)
}

/** After which time a run is tried again that another import of the supplier did not let begin. */
const BUSY_SECONDS = 30

/** Runs a source that this process has claimed. It throws only when the run could not be ended. */
export async function runClaimed(
  runner: SourceRunner,
  claimed: ClaimedSource,
  { options, stop }: { options: RunOptions; stop: AbortSignal },
): Promise<void> {
  const { db } = runner
  const lease = keepLease(runner, claimed)
  const signal = AbortSignal.any([stop, lease.lost])
  try {
    const end = await endOf(runner, claimed.source, options, signal)
    await finishRun(db, claimed, end)
    runner.onRun?.(endedRunOf(claimed.source, end))
  } catch (error) {
    // The source is not at fault, and is tried again.
    await withdrawRun(db, claimed, stop.aborted ? 0 : BUSY_SECONDS)
    if (!signal.aborted) throw error
  } finally {
    lease.end()
  }
}

function endedRunOf({ uuid, supplier }: FeedSource, end: RunEnd): EndedRun {
  const { outcome } = end
  const reason = end.outcome === 'failed' ? { code: end.code, failure: end.failure } : {}
  return { source: uuid, supplier, outcome, ...reason }
}

/** Renews the lease while the run lasts. When it is lost, the run stops. */
function keepLease({ db, settings }: SourceRunner, claimed: ClaimedSource) {
  const controller = new AbortController()
  const renew = async () => {
    if (!(await renewLease(db, claimed))) controller.abort()
  }
  // A renewal that fails is repeated before the lease ends.
  const timer = setInterval(() => void renew().catch(settings.onError), RENEW_MS).unref()
  return { lost: controller.signal, end: () => clearInterval(timer) }
}

/** Fetches and imports. What the source or its file is to blame for is the end of the run. */
async function endOf(
  runner: SourceRunner,
  source: FeedSource,
  options: RunOptions,
  signal: AbortSignal,
): Promise<RunEnd> {
  const found: RunResult = {}
  let request: FetchRequest | undefined
  let spool: Spool | undefined
  try {
    const settings = fetchSettingsOf(runner.settings)
    const { db } = runner
    const isStale = await isStockStale(db, source.supplier_id)
    const force = options.force || (await needsReimport(db, source))
    request = await requestOf(runner.secrets, source, { ...options, force, isStale })
    spool = await openSpool(settings.fileBytesMax)
    const fetched = await fetchFile(request, settings, spool, signal)
    found.fileName = fetched.fileName
    found.bytes = spool.bytes()
    const { seen } = fetched
    const renews = source.seen !== null && isRenewed(seen, source.seen)
    if (fetched.isUnchanged && !(renews && isStale)) {
      if (renews) await renewStock(db, source.supplier_id)
      return { ...found, outcome: 'unchanged', seen }
    }
    const report = await importFile(runner, source, { fetched, spool, options, signal })
    return { ...found, importUuid: report.uuid, outcome: 'done', seen }
  } catch (error) {
    if (signal.aborted || !isFault(error)) throw error
    const { code, failure } = describe(error)
    return { ...found, outcome: 'failed', code, failure: hideSecrets(failure, request) }
  } finally {
    await spool?.close()
  }
}

function fetchSettingsOf(settings: SourceSettings): FetchSettings {
  const fileBytesMax = UPLOAD_MEGABYTES * 1024 ** 2
  return { ...FETCH_DEFAULTS, fileBytesMax, ...settings }
}

async function requestOf(
  secrets: Secrets,
  source: FeedSource,
  { force = false, isStale }: RunOptions & { isStale: boolean },
): Promise<FetchRequest> {
  const { seen } = source
  // Stock that has left the market comes back only with the whole file.
  const isWhole = force || seen === null || (isStale && !hasDate(seen))
  const open = async (sealed: string | null) =>
    sealed === null ? null : secrets.open(sealed, secretRowOf(source.uuid))
  const url = new URL(source.url)
  url.search = (await open(source.secret_query)) ?? url.search
  return {
    url,
    user: source.username,
    password: await open(source.password),
    privateKey: await open(source.private_key),
    hostKey: source.host_key,
    seen: isWhole ? undefined : seen,
  }
}

interface FileToImport {
  fetched: FetchResult
  spool: Spool
  options: RunOptions
  signal: AbortSignal
}

function importFile(
  { imports }: SourceRunner,
  source: FeedSource,
  { fetched, spool, options, signal }: FileToImport,
): Promise<ImportReport> {
  const { force: _, ...settled } = options
  return runImport(imports, {
    ...settled,
    supplier: source.supplier,
    mode: source.mode,
    fileName: fetched.fileName,
    bytes: until(signal, spool.read()),
    ...(source.sheet !== null && { sheet: source.sheet }),
    ...(source.mapping !== null && { mapping: source.mapping as MappingFile }),
  })
}

/** Ends the import while it reads, when the run stops; nothing is changed by then. */
async function* until(signal: AbortSignal, bytes: AsyncIterable<Uint8Array>) {
  for await (const chunk of bytes) {
    signal.throwIfAborted()
    yield chunk
  }
}

/** Whether the source failed, and not only this attempt to run it. */
function isFault(error: unknown): boolean {
  if (error instanceof FetchError) return true
  if (error instanceof Refusal) return error.code !== 'import_running'
  return !isOutage(error)
}

function describe(error: unknown): { code: string; failure: string } {
  const { message } = error as Error
  if (error instanceof Refusal || error instanceof FetchError) {
    return { code: error.code, failure: message }
  }
  if (error instanceof SecretKeyError) return { code: 'secret_key_missing', failure: message }
  return { code: 'internal_error', failure: `The run failed: ${message}` }
}

/** Shorter texts occur in sentences by chance, and protect nothing. */
const SECRET_LENGTH_MIN = 4

/** A server may repeat what it was sent. */
function hideSecrets(text: string, request: FetchRequest | undefined): string {
  if (!request) return text
  const { password, url } = request
  const secrets = [password, url.search.slice(1), ...url.searchParams.values()]
  return secrets
    .filter((secret) => secret !== null && secret.length >= SECRET_LENGTH_MIN)
    .reduce<string>((hidden, secret) => hidden.replaceAll(secret ?? '', '…'), text)
}
