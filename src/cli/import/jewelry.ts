import { basename } from 'node:path'
import type { Command } from 'commander'
import { inTransaction } from '../../database/transaction.ts'
import { importJewelry } from '../../jewelry/importing/import-jewelry.ts'
import { type JewelryReport, listJewelryImports } from '../../jewelry/importing/import-store.ts'
import { undoJewelryImport } from '../../jewelry/importing/undo-import.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'
import { readUuid } from '../token.ts'
import { openImportFile } from './import-file.ts'
import { type FileOptions, withFileOptions } from './import-options.ts'

interface ImportOptions extends FileOptions {
  supplier: string
  catalogue?: string
}

export function jewelryCommand(): Command {
  return commandGroup('jewelry', 'import jewelry and watches, and take imports back', [
    importCommand(),
    importsCommand(),
    undoCommand(),
  ])
}

function importCommand(): Command {
  const example = 'pavilion jewelry import rings.csv --supplier "Amberfold Atelier" --dry-run'
  const bare = command('import', "bring a supplier's jewelry and watches into the market", example)
    .argument('<file>', 'CSV or JSON, gzipped or not; - reads standard input')
    .requiredOption('--supplier <name>', 'whose pieces they are; made by its first import')
  return withFileOptions(bare)
    .option('--catalogue <name>', 'where new products go; General unless given')
    .action((path: string, options: ImportOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) =>
          importJewelry(db, {
            supplier: options.supplier,
            mode: options.mode,
            dryRun: options.dryRun,
            currency: options.currency,
            maxRemovedShare: options.maxRemoved,
            catalogue: options.catalogue,
            fileName: basename(path),
            bytes: (await openImportFile(path)).bytes,
          }),
        showReport,
      ),
    )
}

const IMPORTS_SHOWN = 50

function importsCommand(): Command {
  return command('imports', 'list the imports, newest first', 'pavilion jewelry imports').action(
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
            ['uuid', 'supplier', 'mode', 'rows', 'added', 'changed', 'removed', 'created_on'],
            'No import of jewelry yet.',
          ),
      ),
  )
}

function undoCommand(): Command {
  const example = 'pavilion jewelry undo 0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
  return command('undo', 'take the last import of a supplier back', example)
    .argument('<uuid>', 'the import, as "pavilion jewelry imports" lists it', readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        ({ database: { db } }) => inTransaction(db, (tx) => undoJewelryImport(tx, uuid)),
        ({ supplier }) => `The jewelry of ${supplier} is as it was before the import.`,
      ),
    )
}

const REJECTIONS_SHOWN = 20

function showReport(report: JewelryReport): string {
  const { rows, added, changed, unchanged, removed, rejected, rejections, unmapped } = report
  const lines = [
    report.dry_run
      ? `Dry run of ${report.supplier}: nothing was changed.`
      : `Import ${report.uuid} of ${report.supplier} into ${report.catalogue}`,
    `${rows} rows: ${added} added, ${changed} changed, ${unchanged} unchanged, ` +
      `${removed} removed, ${rejected} rejected`,
  ]
  if (unmapped.length > 0) lines.push(`Columns not used: ${unmapped.join(', ')}`)
  for (const { row, column, value, reason } of rejections.slice(0, REJECTIONS_SHOWN)) {
    lines.push(`  row ${row}, ${column} ${JSON.stringify(value)}: ${reason}`)
  }
  if (rejected > REJECTIONS_SHOWN) {
    lines.push(`  and ${rejected - REJECTIONS_SHOWN} more (--json lists them)`)
  }
  return lines.join('\n')
}
