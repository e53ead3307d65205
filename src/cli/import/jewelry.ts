/** Imports jewelry and watches, which unlike gems have variants and belong to catalogues. */
import type { Command } from 'commander'
import type { Db } from '../../database/open.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { MappingFile } from '../../feeds/mapping/mapping-file.ts'
import { explainJewelry } from '../../jewelry/importing/explain-jewelry.ts'
import { importJewelry } from '../../jewelry/importing/import-jewelry.ts'
import {
  type JewelryImport,
  type JewelryReport,
  listJewelryImports,
  readPastJewelryImport,
} from '../../jewelry/importing/import-store.ts'
import { type RejectedRows, rejectedJewelryCsv } from '../../jewelry/importing/rejected-rows.ts'
import { undoJewelryImport } from '../../jewelry/importing/undo-import.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import { readUuid } from '../arguments.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'
import { openInputFile } from './input-file.ts'
import { EXPLAIN, MAPPING, readMapping } from './mapping-file.ts'
import { type ImportOptions, importRequest, undoCommand, withImportOptions } from './options.ts'
import { showJewelryImport } from './report.ts'
import { REJECTED, writeCsv } from './show.ts'

export function jewelryCommand(): Command {
  return commandGroup('jewelry', 'Import jewelry and watches', [
    importCommand(),
    importsCommand(),
    showCommand(),
    undoCommand('jewelry', 'jewelry imports', ({ database: { db } }, uuid) =>
      inTransaction(db, (tx) => undoJewelryImport(tx, uuid)),
    ),
  ])
}

interface JewelryImportOptions extends ImportOptions {
  catalogue?: string
  mapping?: string
  explain?: boolean
  rejected?: string
}

function importCommand(): Command {
  const example = 'pavilion jewelry import rings.csv --supplier "Amberfold Atelier" --dry-run'
  const bare = command('import', "Import a supplier's file of jewelry and watches", example)
    .argument('<file>', 'CSV, XLSX, XLS, JSON, XML or ZIP file; "-" for standard input')
    .requiredOption('--supplier <name>', 'Supplier; its first import creates it')
  return withImportOptions(bare)
    .option('--catalogue <name>', 'Catalogue for new products (default: General)')
    .option(...MAPPING)
    .option(...EXPLAIN)
    .option(...REJECTED)
    .action((path: string, options: JewelryImportOptions) =>
      options.explain
        ? onMarket(options, ({ database: { db } }) => explainFile(db, path, options), asJson)
        : onMarket(
            options,
            ({ database: { db } }) => importFile(db, path, options),
            showJewelryImport,
          ),
    )
}

async function explainFile(
  db: Db,
  path: string,
  { supplier, mapping }: JewelryImportOptions,
): Promise<MappingFile> {
  const { bytes } = await openInputFile(path)
  return explainJewelry(db, { supplier, bytes, mapping: await readMapping(mapping) })
}

const asJson = (mapping: MappingFile) => JSON.stringify(mapping, null, 2)

async function importFile(
  db: Db,
  path: string,
  options: JewelryImportOptions,
): Promise<JewelryReport> {
  let rejected: RejectedRows = { columns: [], cells: [] }
  const report = await importJewelry(db, {
    ...importRequest(path, await openInputFile(path), options),
    catalogue: options.catalogue,
    mapping: await readMapping(options.mapping),
    onRejected: (rows) => {
      rejected = rows
    },
  })
  await writeCsv(options.rejected, () => rejectedJewelryCsv(rejected, report))
  return report
}

function showCommand(): Command {
  const example =
    'pavilion jewelry show 0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90 --rejected rejected.csv'
  return command('show', 'Show the report of a past import', example)
    .argument('<uuid>', 'UUID of the import, as listed by "pavilion jewelry imports"', readUuid)
    .option(...REJECTED)
    .action((uuid: string, options: CommonOptions & { rejected?: string }) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const { past, rejected } = await readPastJewelryImport(db, uuid)
          await writeCsv(options.rejected, () => rejectedJewelryCsv(rejected, past))
          return rendered(past)
        },
        showPast,
      ),
    )
}

function showPast(past: JewelryImport): string {
  return `${showJewelryImport({ ...past, dry_run: false })}\nStatus: ${statusOf(past)}`
}

function statusOf({ failure, undone_on }: JewelryImport): string {
  if (failure !== null) return `failed: ${failure}`
  return undone_on === null ? 'done' : 'undone'
}

function rendered(record: JewelryImport): JewelryImport {
  return {
    ...record,
    created_on: isoWithOffset(record.created_on),
    undone_on: isoOrNull(record.undone_on),
  }
}

const IMPORTS_SHOWN = 50

function importsCommand(): Command {
  const description = 'List imports of jewelry and watches, newest first'
  return command('imports', description, 'pavilion jewelry imports').action(
    (options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const { imports } = await listJewelryImports(db, { limit: IMPORTS_SHOWN, offset: 0 })
          return imports.map(rendered)
        },
        (imports) =>
          tableOf(
            imports.map((record) => ({
              ...record,
              status: record.failure === null ? statusOf(record) : 'failed',
            })),
            {
              uuid: 'UUID',
              supplier: 'Supplier',
              mode: 'Mode',
              status: 'Status',
              rows: 'Rows',
              added: 'Added',
              changed: 'Changed',
              removed: 'Removed',
              rejected: 'Rejected',
              created_on: 'Created',
            },
            'No imports yet. Start one with "pavilion jewelry import <file> --supplier <name>".',
          ),
      ),
  )
}
