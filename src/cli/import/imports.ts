/** The history of gem imports; `pavilion jewelry imports` is that of jewelry. */
import type { Command } from 'commander'
import { type ImportRecord, listImports } from '../../feeds/importing/import-store.ts'
import { getSupplier } from '../../gems/supplier-store.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import { type CommonOptions, command, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'

const IMPORTS_SHOWN = 50

export function importsCommand(): Command {
  const example = 'pavilion imports --supplier "Surat Gems"'
  return command('imports', 'List imports of diamonds and gemstones, newest first', example)
    .option('--supplier <name>', 'Only imports of this supplier')
    .action((options: CommonOptions & { supplier?: string }) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          // An unknown supplier is refused: an empty list would hide a mistyped name.
          if (options.supplier !== undefined) await getSupplier(db, options.supplier)
          const query = { supplier: options.supplier, limit: IMPORTS_SHOWN, offset: 0 }
          return (await listImports(db, query)).imports.map(rendered)
        },
        (imports) =>
          tableOf(
            imports,
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
              started_on: 'Started',
            },
            'No imports yet. Start one with "pavilion import <file> --supplier <name>".',
          ),
      ),
    )
}

function rendered({ supplier_id: _, ...record }: ImportRecord) {
  return {
    ...record,
    started_on: isoWithOffset(record.started_on),
    finished_on: isoOrNull(record.finished_on),
  }
}
