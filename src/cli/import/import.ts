import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Command } from 'commander'
import type { ImportProgress, ImportReport } from '../../feeds/importing/report.ts'
import { runImport } from '../../feeds/importing/run-import.ts'
import { undoImport } from '../../feeds/importing/undo-import.ts'
import { checkMapping, type MappingOverride } from '../../feeds/mapping/map-columns.ts'
import type { Progress } from '../../lib/progress.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type CommonOptions, command, onMarket } from '../command.ts'
import { startProgressBar } from '../output/progress-bar.ts'
import { readUuid } from '../token.ts'
import { type ImportFile, openImportFile } from './import-file.ts'
import { type FileOptions, withFileOptions } from './import-options.ts'
import { showImport } from './report.ts'

interface ImportOptions extends FileOptions {
  supplier?: string
  mapping?: string
}

export function importCommand(): Command {
  const example = 'pavilion import stock.csv --supplier "Surat Gems" --mode replace --dry-run'
  const bare = command('import', "bring a supplier's file into the market", example)
    .argument('<file>', 'CSV, TSV, JSON or XLSX, gzipped or not; - reads standard input')
    .option('--supplier <name>', 'whose stones they are; made by its first import (required)')
  return withFileOptions(bare)
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
  const file = await openImportFile(path)
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

const SHOW_EVERY_MS = 200

/** Rows are not known before the end of the file; the bytes read so far tell how many come. */
function progressOf(file: ImportFile, show: (progress: Progress) => void) {
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
