/** Lists what imports leave for the operator to decide. */
import type { Command } from 'commander'
import { listConflicts, listQuarantine } from '../feeds/importing/list-conflicts.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { tableOf } from './output/table.ts'

const ROWS_MAX = 1_000

export function inventoryCommand(): Command {
  return commandGroup('inventory', 'Find problems in the stock', [
    conflictsCommand(),
    quarantineCommand(),
  ])
}

function conflictsCommand(): Command {
  const description = 'List certificates that several stones claim'
  return command('conflicts', description, 'pavilion inventory conflicts').action(
    (options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) =>
          (await listConflicts(db, { limit: ROWS_MAX, offset: 0 })).conflicts,
        (conflicts) =>
          tableOf(
            conflicts.flatMap(({ cert_num, lab, contradicts, stones }) =>
              stones.map((stone) => ({ cert_num, lab, contradicts, ...stone })),
            ),
            {
              cert_num: 'Certificate',
              lab: 'Lab',
              contradicts: 'Contradicts in',
              sku: 'SKU',
              supplier: 'Supplier',
              vendor_sku: 'Stock number',
              weight: 'Weight',
              color: 'Color',
            },
            'No conflicts: every certificate belongs to one stone.',
          ),
      ),
  )
}

function quarantineCommand(): Command {
  const description = 'List suspicious rows of the latest imports, which are not on sale'
  return command('quarantine', description, 'pavilion inventory quarantine').action(
    (options: CommonOptions) =>
      onMarket(
        options,
        ({ database: { db } }) => listQuarantine(db, ROWS_MAX),
        (rows) =>
          tableOf(
            rows,
            {
              supplier: 'Supplier',
              row: 'Row',
              vendor_sku: 'Stock number',
              column: 'Column',
              value: 'Value',
              reason: 'Reason',
            },
            'The quarantine is empty.',
          ),
      ),
  )
}
