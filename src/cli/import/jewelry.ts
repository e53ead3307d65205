/** Imports jewelry and watches, which unlike gems have variants and belong to catalogues. */
import type { Command } from 'commander'
import { inTransaction } from '../../database/transaction.ts'
import { importJewelry } from '../../jewelry/importing/import-jewelry.ts'
import { listJewelryImports } from '../../jewelry/importing/import-store.ts'
import { undoJewelryImport } from '../../jewelry/importing/undo-import.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'
import { openInputFile } from './input-file.ts'
import { type ImportOptions, importRequest, undoCommand, withImportOptions } from './options.ts'
import { showJewelryImport } from './report.ts'

export function jewelryCommand(): Command {
  return commandGroup('jewelry', 'Import jewelry and watches', [
    importCommand(),
    importsCommand(),
    undoCommand('jewelry', 'jewelry imports', ({ database: { db } }, uuid) =>
      inTransaction(db, (tx) => undoJewelryImport(tx, uuid)),
    ),
  ])
}

interface JewelryImportOptions extends ImportOptions {
  catalogue?: string
}

function importCommand(): Command {
  const example = 'pavilion jewelry import rings.csv --supplier "Amberfold Atelier" --dry-run'
  const bare = command('import', "Import a supplier's file of jewelry and watches", example)
    .argument('<file>', 'CSV or JSON file, gzipped or not; "-" for standard input')
    .requiredOption('--supplier <name>', 'Supplier; its first import creates it')
  return withImportOptions(bare)
    .option('--catalogue <name>', 'Catalogue for new products (default: General)')
    .action((path: string, options: JewelryImportOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) =>
          importJewelry(db, {
            ...importRequest(path, await openInputFile(path), options),
            catalogue: options.catalogue,
          }),
        showJewelryImport,
      ),
    )
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
          return imports.map((record) => ({
            ...record,
            created_on: isoWithOffset(record.created_on),
            undone_on: isoOrNull(record.undone_on),
          }))
        },
        (imports) =>
          tableOf(
            imports,
            {
              uuid: 'UUID',
              supplier: 'Supplier',
              mode: 'Mode',
              rows: 'Rows',
              added: 'Added',
              changed: 'Changed',
              removed: 'Removed',
              created_on: 'Created',
            },
            'No imports yet. Start one with "pavilion jewelry import <file> --supplier <name>".',
          ),
      ),
  )
}
