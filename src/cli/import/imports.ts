import type { Command } from 'commander'
import { type ImportRecord, listImports } from '../../feeds/importing/import-store.ts'
import { getSupplier } from '../../gems/supplier-store.ts'
import { isoOrNull, isoWithOffset } from '../../lib/timestamps.ts'
import { type CommonOptions, command, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'

const IMPORTS_SHOWN = 50

export function importsCommand(): Command {
  return command(
    'imports',
    'list the imports, newest first',
    'pavilion imports --supplier "Surat Gems"',
  )
    .option('--supplier <name>', 'of one supplier only')
    .action((options: CommonOptions & { supplier?: string }) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          // A name that is none is refused: "no import yet" would hide the mistake.
          if (options.supplier !== undefined) await getSupplier(db, options.supplier)
          const wish = { supplier: options.supplier, limit: IMPORTS_SHOWN, offset: 0 }
          return (await listImports(db, wish)).imports.map(shown)
        },
        (imports) =>
          tableOf(
            imports,
            [
              'uuid',
              'supplier',
              'mode',
              'status',
              'rows',
              'added',
              'changed',
              'removed',
              'rejected',
              'started_on',
            ],
            'No import yet. Make one with: pavilion import <file> --supplier <name>',
          ),
      ),
    )
}

function shown({ supplier_id: _, ...record }: ImportRecord) {
  return {
    ...record,
    started_on: isoWithOffset(record.started_on),
    finished_on: isoOrNull(record.finished_on),
  }
}
