/** Feed sources: where the server fetches suppliers' files from by itself. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Db } from '../database/open.ts'
import { inTransaction } from '../database/transaction.ts'
import { listRuns, renderRun } from '../feeds/sources/run-history.ts'
import { runSourceNow } from '../feeds/sources/run-source.ts'
import { EVERY_ABSENT, readEvery, renderSource } from '../feeds/sources/source.ts'
import type { SourceFields } from '../feeds/sources/source-fields.ts'
import {
  addSource,
  getSource,
  listSources,
  pauseSource,
  removeSource,
  resumeSource,
  setSource,
} from '../feeds/sources/source-store.ts'
import { Refusal } from '../lib/refusal.ts'
import { readUuid } from './arguments.ts'
import { type CommonOptions, command, commandGroup, EXIT, onMarket } from './command.ts'
import { readMapping, SHEET } from './import/mapping-file.ts'
import { type SettlingOptions, settledBy, withSettlingOptions } from './import/settling-options.ts'
import type { Market } from './market.ts'
import { showRun, showSource, showSources } from './output/source.ts'

interface SourceOptions extends CommonOptions {
  url?: string
  every?: string
  mode?: 'update' | 'replace'
  user?: string
  passwordFile?: string
  keyFile?: string
  hostKey?: string
  mapping?: string
  sheet?: string
}

export function sourceCommand(): Command {
  return commandGroup('source', "Fetch suppliers' files by themselves", [
    addCommand(),
    listCommand(),
    showCommand(),
    setCommand(),
    runCommand(),
    pauseCommand(),
    resumeCommand(),
    removeCommand(),
  ])
}

const URL_HELP =
  'https, http, sftp, ftp, ftps or file address of a file, a folder or a pattern such as *.csv ' +
  '(the newest file is taken)'

function addCommand(): Command {
  const example =
    'pavilion source add --supplier "Surat Gems" --url "sftp://feeds.surat.example/out/*.csv" ' +
    '--every 2h --mode replace --user pavilion --password-file password.txt --host-key SHA256:…'
  const bare = command('add', 'Add a source, which is due at once', example)
    .requiredOption('--supplier <name>', 'Supplier; created when it does not exist')
    .requiredOption('--url <address>', URL_HELP, readAddress)
  return withFields(bare, { everyAbsent: EVERY_ABSENT, modeAbsent: 'update' }).action(
    (options: SourceOptions & { supplier: string; url: string }) =>
      onMarket(
        options,
        async ({ database: { db }, secrets }) => {
          const fields = await fieldsOf(options)
          const { supplier, url } = options
          const source = await inTransaction(db, (tx) =>
            addSource(tx, { ...fields, supplier, url }, { secrets, isFileAllowed: true }),
          )
          return renderSource(source)
        },
        (source) =>
          `Added the source ${source.uuid} of ${source.supplier}: every ${source.every}, ` +
          `mode ${source.mode}.\n${FETCHED_NEXT}; ` +
          `"pavilion source show ${source.uuid}" tells what happened.`,
      ),
  )
}

/** A command does not know whether a server runs. */
const FETCHED_NEXT = 'The server fetches it now, or when it is started'

function setCommand(): Command {
  const example = `pavilion source set ${EXAMPLE_UUID} --every 30m --password-file new.txt`
  const bare = command('set', 'Change a source, which is then due at once', example)
    .argument('<uuid>', UUID_HELP, readUuid)
    .option('--url <address>', URL_HELP, readAddress)
  return withFields(bare).action((uuid: string, options: SourceOptions, self: Command) => {
    if (Object.keys(options).every((name) => name === 'json' || name === 'sandbox')) {
      self.error('error: name at least one option to change')
    }
    return onMarket(
      options,
      async ({ database: { db }, secrets }) => {
        const fields = { ...(await fieldsOf(options)), ...(options.url && { url: options.url }) }
        const change = { secrets, isFileAllowed: true }
        return renderSource(await inTransaction(db, (tx) => setSource(tx, uuid, fields, change)))
      },
      () => `Changed the source ${uuid}. ${FETCHED_NEXT}.`,
    )
  })
}

function withFields(
  each: Command,
  { everyAbsent, modeAbsent }: { everyAbsent?: string; modeAbsent?: string } = {},
): Command {
  const every = new Option('--every <duration>', 'How often it is fetched, 1m to 31d')
  const mode = new Option('--mode <mode>', '"replace" also removes what the file no longer lists')
  mode.choices(['update', 'replace'])
  each
    .addOption(every.argParser(readDuration).default(everyAbsent))
    .addOption(mode.default(modeAbsent))
  return each
    .option('--user <name>', 'Who signs in')
    .option('--password-file <file>', 'File with the password in its first line')
    .option('--key-file <file>', 'Private key for sftp, without a passphrase')
    .option(
      '--host-key <fingerprint>',
      'SHA256:… of the host key (sftp) or certificate (ftps, https)',
    )
    .option('--mapping <file>', 'JSON file with the column mapping, as for an import')
    .option(...SHEET)
}

function readDuration(text: string): string {
  try {
    readEvery(text)
    return text
  } catch {
    throw new InvalidArgumentError('Expected a duration from 1m to 31d, such as 15m, 2h or 1d.')
  }
}

/** A path of this machine, with a pattern perhaps, is as good as its address. */
function readAddress(text: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return text
  return pathToFileURL(resolve(text)).href + (text.endsWith('/') ? '/' : '')
}

async function fieldsOf(options: SourceOptions): Promise<Omit<SourceFields, 'url'>> {
  const { every, mode, user, passwordFile, keyFile, hostKey, mapping, sheet } = options
  return {
    every,
    mode,
    user,
    host_key: hostKey,
    password: passwordFile === undefined ? undefined : await readPassword(passwordFile),
    key: keyFile === undefined ? undefined : await readSecretFile('key', keyFile),
    mapping: await readMapping(mapping),
    sheet,
  }
}

/** Editors add a line break, which belongs to no password. */
async function readPassword(path: string): Promise<string> {
  const [password] = (await readSecretFile('password', path)).split(/\r?\n/)
  if (password !== '') return password
  throw new Refusal('invalid_request', `The first line of ${path} is empty.`)
}

async function readSecretFile(noun: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const detail = `Cannot read the ${noun} file: ${(error as Error).message}`
    throw new Refusal('invalid_request', detail)
  }
}

const EXAMPLE_UUID = '0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
const UUID_HELP = 'UUID of the source, as listed by "pavilion source list"'

function listCommand(): Command {
  return command('list', 'List the sources by supplier', 'pavilion source list')
    .option('--supplier <name>', 'Only sources of this supplier')
    .action((options: CommonOptions & { supplier?: string }) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const sources = (await listSources(db, options)).map(renderSource)
          return Promise.all(sources.map((source) => withLastFailure(db, source)))
        },
        showSources,
      ),
    )
}

/** Adds why the last run failed; null unless the source is failing. */
async function withLastFailure<S extends ReturnType<typeof renderSource>>(db: Db, source: S) {
  if (source.failures === 0) return { ...source, last_failure: null }
  const { runs } = await listRuns(db, source.uuid, { limit: 1, offset: 0 })
  return { ...source, last_failure: runs.at(0)?.failure ?? null }
}

const RUNS_SHOWN = 20

function showCommand(): Command {
  return command('show', 'Show a source and its last runs', `pavilion source show ${EXAMPLE_UUID}`)
    .argument('<uuid>', UUID_HELP, readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const source = renderSource(await getSource(db, uuid))
          const { runs } = await listRuns(db, uuid, { limit: RUNS_SHOWN, offset: 0 })
          return { ...source, runs: runs.map(renderRun) }
        },
        showSource,
      ),
    )
}

function runCommand(): Command {
  const bare = command(
    'run',
    'Fetch and import now, paused or not',
    `pavilion source run ${EXAMPLE_UUID}`,
  )
    .addHelpText('after', '\nIt exits with 1 when the run failed.')
    .argument('<uuid>', UUID_HELP, readUuid)
    .option('--force', 'Import the file even if it is the one that was imported last')
  return withSettlingOptions(bare).action(
    (uuid: string, options: CommonOptions & SettlingOptions & { force?: boolean }) =>
      onMarket(
        options,
        async (market) => {
          const settled = { ...settledBy(options), force: options.force ?? false }
          const run = renderRun(await runSourceNow(runnerOf(market), uuid, settled))
          if (run.outcome === 'failed') process.exitCode = EXIT.failed
          return run
        },
        (run) => showRun(run, uuid),
      ),
  )
}

function runnerOf({ database, secrets, config }: Market) {
  const { sourceAllowedHosts: allowedHosts, uploadBytesMax: fileBytesMax } = config
  return { db: database.db, imports: database, secrets, settings: { allowedHosts, fileBytesMax } }
}

function pauseCommand(): Command {
  const example = `pavilion source pause ${EXAMPLE_UUID}`
  return command('pause', 'Pause a source; a run that has begun is finished', example)
    .argument('<uuid>', UUID_HELP, readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) =>
          renderSource(await inTransaction(db, (tx) => pauseSource(tx, uuid))),
        () => `Paused the source ${uuid}.`,
      ),
    )
}

function resumeCommand(): Command {
  return command('resume', 'Resume a paused source', `pavilion source resume ${EXAMPLE_UUID}`)
    .argument('<uuid>', UUID_HELP, readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) =>
          renderSource(await inTransaction(db, (tx) => resumeSource(tx, uuid))),
        () => `Resumed the source ${uuid}.`,
      ),
    )
}

function removeCommand(): Command {
  const example = `pavilion source remove ${EXAMPLE_UUID}`
  return command('remove', 'Remove a source and its runs; what it imported stays', example)
    .argument('<uuid>', UUID_HELP, readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => renderSource(await removeSource(db, uuid)),
        ({ supplier }) => `Removed the source ${uuid} of ${supplier}. Its stones stay.`,
      ),
    )
}
