/** Imports diamonds and gemstones. The file is streamed, so it may be larger than memory. */
import type { Command } from 'commander'
import { undoImport } from '../../feeds/importing/applying/undo-import.ts'
import { explainImport } from '../../feeds/importing/explain-import.ts'
import type { LoggedRejection } from '../../feeds/importing/rejection-log.ts'
import type { ImportProgress, ImportReport } from '../../feeds/importing/report.ts'
import { runImport } from '../../feeds/importing/run-import.ts'
import { priceMeaningOf } from '../../feeds/mapping/mapping.ts'
import type { MappingFile } from '../../feeds/mapping/mapping-file.ts'
import type { Progress } from '../../lib/progress.ts'
import { command, onMarket } from '../command.ts'
import { startProgressBar } from '../output/progress-bar.ts'
import { type InputFile, openInputFile } from './input-file.ts'
import { EXPLAIN, MAPPING, readMapping, SHEET } from './mapping-file.ts'
import {
  type AnswerOptions,
  type ImportOptions,
  importRequest,
  undoCommand,
  withAnswerOptions,
  withImportOptions,
} from './options.ts'
import { showImport } from './report.ts'
import { REJECTED, showCommand, writeRejected } from './show.ts'

interface GemImportOptions extends ImportOptions, AnswerOptions {
  mapping?: string
  sheet?: string
  explain?: boolean
  rejected?: string
}

export function importCommand(): Command {
  const example = 'pavilion import stock.csv --supplier "Surat Gems" --mode replace --dry-run'
  const bare = command('import', "Import a supplier's file of diamonds and gemstones", example)
    .argument('<file>', 'CSV, XLSX, XLS, JSON, XML or ZIP file; "-" for standard input')
    // Not a required option of Commander, because `import undo` would then require it as well.
    .option('--supplier <name>', 'Supplier (required); its first import creates it')
  const described = withImportOptions(bare)
    .option(...MAPPING)
    .option(...SHEET)
    .option(...EXPLAIN)
  return withAnswerOptions(described)
    .option(...REJECTED)
    .action((path: string, options: Partial<GemImportOptions>, self: Command) => {
      if (!hasSupplier(options)) {
        return self.error("error: required option '--supplier <name>' not specified")
      }
      if (options.explain) {
        return onMarket(options, ({ database }) => explainFile(database, path, options), asJson)
      }
      return onMarket(options, ({ database }) => importFile(database, path, options), showImport)
    })
    .addCommand(showCommand())
    .addCommand(
      undoCommand('import', 'imports', ({ database }, uuid) => undoImport(database, uuid)),
    )
}

/** All other options are there: they are optional or have defaults. */
function hasSupplier(options: Partial<GemImportOptions>): options is GemImportOptions {
  return options.supplier !== undefined
}

async function explainFile(
  { db }: Parameters<typeof runImport>[0],
  path: string,
  { supplier, currency, price, relearn, mapping, sheet }: GemImportOptions,
): Promise<MappingFile> {
  const file = await openInputFile(path)
  return explainImport(db, {
    supplier,
    currency,
    relearn,
    price: priceMeaningOf(price),
    mapping: await readMapping(mapping),
    sheet,
    bytes: file.bytes,
  })
}

const asJson = (mapping: MappingFile) => JSON.stringify(mapping, null, 2)

async function importFile(
  database: Parameters<typeof runImport>[0],
  path: string,
  options: GemImportOptions,
): Promise<ImportReport> {
  const file = await openInputFile(path)
  const bar = startProgressBar('rows')
  let rejections: LoggedRejection[] = []
  try {
    const report = await runImport(database, {
      ...importRequest(path, file, options),
      mapping: await readMapping(options.mapping),
      sheet: options.sheet,
      price: priceMeaningOf(options.price),
      acceptPrices: options.acceptPrices,
      relearn: options.relearn,
      onProgress: progressOf(file, bar.show),
      onRejected: (rows) => {
        rejections = rows
      },
    })
    await writeRejected(options.rejected, report.columns, rejections)
    return report
  } finally {
    bar.end()
  }
}

const SHOW_EVERY_MS = 200

/** The number of rows is unknown until the file ends, so it is estimated from the bytes read. */
function progressOf(file: InputFile, show: (progress: Progress) => void) {
  let phase = ''
  let startMs = 0
  let shownMs = Number.NEGATIVE_INFINITY
  return (progress: ImportProgress) => {
    const nowMs = performance.now()
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
