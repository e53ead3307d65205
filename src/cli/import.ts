import { access, constants, readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ImportProgress, ImportReport } from '../feeds/importing/report.ts'
import { runImport } from '../feeds/importing/run-import.ts'
import { undoImport } from '../feeds/importing/undo-import.ts'
import { checkMapping, type MappingOverride } from '../feeds/mapping/map-columns.ts'
import { readFileBytes } from '../feeds/reading/open-feed.ts'
import type { Progress } from '../lib/progress.ts'
import { Refusal } from '../lib/refusal.ts'
import { type CommonOptions, command, onMarket } from './command.ts'
import { showImport } from './import-words.ts'
import { startProgressBar } from './progress-bar.ts'
import { readUuid } from './token.ts'

interface ImportOptions extends CommonOptions {
  supplier?: string
  mode: 'update' | 'replace'
  dryRun?: boolean
  currency?: string
  maxRemoved: number
  mapping?: string
}

export function importCommand(): Command {
  const example = 'pavilion import stock.csv --supplier "Surat Gems" --mode replace --dry-run'
  return command('import', "bring a supplier's file into the market", example)
    .argument('<file>', 'CSV, TSV, JSON or XLSX, gzipped or not; - reads standard input')
    .option('--supplier <name>', 'whose stones they are; made by its first import (required)')
    .addOption(
      new Option('--mode <mode>', 'replace also takes out what the file no longer has')
        .choices(['update', 'replace'])
        .default('update'),
    )
    .option('--dry-run', 'show what would happen, and change nothing')
    .option('--currency <code>', "of the file's prices; the supplier's unless given", readCurrency)
    .option(
      '--max-removed <share>',
      'how much of the stock a replacing file may take out',
      readShare,
      0.4,
    )
    .option('--mapping <file>', 'JSON of {column: field or null}; remembered for the supplier')
    .action((path: string, options: ImportOptions, self: Command) => {
      const supplier = options.supplier
      if (supplier === undefined)
        self.error("error: required option '--supplier <name>' is missing")
      return onMarket(
        options,
        ({ database }) => importFile(database, path, { ...options, supplier: supplier ?? '' }),
        showImport,
      )
    })
    .addCommand(undoCommand())
}

function undoCommand(): Command {
  const example = 'pavilion import undo 0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
  return command('undo', 'take the last import of a supplier back', example)
    .argument('<uuid>', 'the import, as "pavilion imports" lists it', readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        ({ database }) => undoImport(database, uuid),
        ({ supplier }) => `The stones of ${supplier} are as they were before the import.`,
      ),
    )
}

async function importFile(
  database: Parameters<typeof runImport>[0],
  path: string,
  options: ImportOptions & { supplier: string },
): Promise<ImportReport> {
  const file = await openFile(path)
  const bar = startProgressBar('rows')
  try {
    return await runImport(database, {
      supplier: options.supplier,
      mode: options.mode,
      dryRun: options.dryRun,
      currency: options.currency,
      maxRemovedShare: options.maxRemoved,
      mapping: options.mapping === undefined ? undefined : await readMapping(options.mapping),
      fileName: basename(path),
      bytes: file.bytes,
      onProgress: progressOf(file, bar.show),
    })
  } finally {
    bar.end()
  }
}

interface OpenedFile {
  bytes: AsyncIterable<Uint8Array>
  size: number | undefined
  bytesRead: number
}

async function openFile(path: string): Promise<OpenedFile> {
  if (path === '-') return counted(process.stdin, undefined)
  try {
    await access(path, constants.R_OK)
    const found = await stat(path)
    if (!found.isDirectory()) return counted(readFileBytes(path), found.size)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file.' : message
    throw new Refusal('not_found', `${path} cannot be read: ${why}`)
  }
  throw new Refusal('invalid_request', `${path} is a folder; name the file to import.`)
}

function counted(bytes: AsyncIterable<Uint8Array>, size: number | undefined): OpenedFile {
  const file: OpenedFile = { bytes: count(), size, bytesRead: 0 }
  async function* count() {
    for await (const chunk of bytes) {
      file.bytesRead += chunk.length
      yield chunk
    }
  }
  return file
}

const SHOW_EVERY_MS = 200

/** Rows are not known before the end of the file; the bytes read so far tell how many come. */
function progressOf(file: OpenedFile, show: (progress: Progress) => void) {
  let phase = ''
  let startMs = 0
  let shownMs = 0
  return (progress: ImportProgress) => {
    const nowMs = Date.now()
    if (progress.phase !== phase) startMs = nowMs
    phase = progress.phase
    if (nowMs - shownMs < SHOW_EVERY_MS) return
    shownMs = nowMs
    const share = file.size ? Math.min(1, file.bytesRead / file.size) : 1
    const total = progress.total ?? Math.round(progress.done / Math.max(share, 1e-6))
    const perSecond = (progress.done * 1000) / Math.max(1, nowMs - startMs)
    show({
      rows: progress.done,
      total,
      rows_per_second: Math.round(perSecond),
      seconds_left: Math.ceil((total - progress.done) / Math.max(1, perSecond)),
    })
  }
}

async function readMapping(path: string): Promise<MappingOverride> {
  let mapping: unknown
  try {
    mapping = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    const detail = `The mapping file cannot be read: ${(error as Error).message}`
    throw new Refusal('invalid_request', detail)
  }
  return checkMapping(mapping)
}

function readShare(text: string): number {
  const match = /^(\d{1,3}(?:\.\d+)?)\s*%?$/.exec(text)
  const value = match ? Number(match[1]) : Number.NaN
  // `40%` and `40` are percent; `0.4` is the share itself.
  const share = text.includes('%') || value > 1 ? value / 100 : value
  if (share >= 0 && share <= 1) return share
  throw new InvalidArgumentError('It takes a percentage, for example 40%.')
}

function readCurrency(text: string): string {
  const code = text.toUpperCase()
  if (/^[A-Z]{3}$/.test(code)) return code
  throw new InvalidArgumentError('It takes three letters, for example USD.')
}
