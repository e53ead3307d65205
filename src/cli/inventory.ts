import type { Command } from 'commander'
import { listConflicts, listQuarantine } from '../feeds/importing/list-conflicts.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { tableOf } from './output/table.ts'

const ROWS_MAX = 1_000

export function inventoryCommand(): Command {
  return commandGroup('inventory', 'look through the stock', [
    conflictsCommand(),
    quarantineCommand(),
  ])
}

function conflictsCommand(): Command {
  const example = 'pavilion inventory conflicts'
  return command('conflicts', 'list certificates that stand on several stones', example).action(
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
            ['cert_num', 'lab', 'contradicts', 'sku', 'supplier', 'vendor_sku', 'weight', 'color'],
            'No certificate stands on more than one stone.',
          ),
      ),
  )
}

function quarantineCommand(): Command {
  const example = 'pavilion inventory quarantine'
  return command('quarantine', 'list doubtful rows of the last imports', example).action(
    (options: CommonOptions) =>
      onMarket(
        options,
        ({ database: { db } }) => listQuarantine(db, ROWS_MAX),
        (rows) =>
          tableOf(
            rows,
            ['supplier', 'row', 'vendor_sku', 'column', 'value', 'reason'],
            'Nothing is in quarantine.',
          ),
      ),
  )
}
