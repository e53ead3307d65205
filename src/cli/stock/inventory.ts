/** Lists what imports leave for the operator to decide, and takes the decisions. */
import type { Command } from 'commander'
import { inTransaction } from '../../database/transaction.ts'
import {
  type DecidedRow,
  decideQuarantined,
  listQuarantine,
  type QuarantineDecision,
} from '../../feeds/importing/quarantine.ts'
import {
  type ConflictDecision,
  type DecidedConflict,
  decideConflict,
} from '../../gems/decide-conflict.ts'
import { listConflicts } from '../../gems/list-conflicts.ts'
import { Refusal } from '../../lib/refusal.ts'
import { readUuid, readWholeNumber } from '../arguments.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'

export function inventoryCommand(): Command {
  return commandGroup('inventory', 'Find problems in the stock', [
    conflictsCommand(),
    quarantineCommand(),
  ])
}

interface PageOptions extends CommonOptions {
  limit?: number
  offset: number
}

function withPageOptions(each: Command): Command {
  const whole = readWholeNumber(0, Number.MAX_SAFE_INTEGER)
  return each
    .option('--limit <rows>', 'How many to list (default: all)', whole)
    .option('--offset <rows>', 'How many to skip', whole, 0)
}

/** Each page counts all rows again, so pages are large. */
const PAGE_ROWS = 10_000

/** Reads pages until the end of the list, or until `--limit`. */
async function readPages<Row>(
  { limit = Number.POSITIVE_INFINITY, offset }: PageOptions,
  read: (page: { limit: number; offset: number }) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const wanted = Math.min(PAGE_ROWS, limit - rows.length)
    const page = await read({ limit: wanted, offset: offset + rows.length })
    rows.push(...page)
    if (page.length < wanted || rows.length >= limit) return rows
  }
}

function conflictsCommand(): Command {
  const description = 'List certificates whose offers contradict each other, until it is decided'
  return withPageOptions(command('conflicts', description, 'pavilion inventory conflicts'))
    .action((options: PageOptions) =>
      onMarket(
        options,
        ({ database: { db } }) =>
          readPages(options, async (page) => (await listConflicts(db, page)).conflicts),
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
              shape: 'Shape',
              color: 'Color',
              clarity: 'Clarity',
              type: 'Type',
            },
            'No conflicts: no offers of one certificate contradict each other.',
          ),
      ),
    )
    .addCommand(decideConflictCommand())
}

interface DecideOptions extends CommonOptions {
  keep?: string
  apart?: boolean
}

function decideConflictCommand(): Command {
  const example = 'pavilion inventory conflicts decide GIA 2141438171 --keep K7Q2M9X4TB'
  return command('decide', 'Decide about the offers of one certificate', example)
    .argument('<lab>', 'Laboratory, as listed by "pavilion inventory conflicts"')
    .argument('<cert_num>', 'Certificate number')
    .option('--keep <sku>', 'This offer is right; the others are disabled')
    .option('--apart', 'They are different stones, each sold by itself')
    .action((lab: string, cert_num: string, options: DecideOptions) =>
      onMarket(
        options,
        ({ database: { db } }) => {
          const decision = decisionFrom(options)
          return inTransaction(db, (tx) => decideConflict(tx, { lab, cert_num }, decision))
        },
        showConflictDecision,
      ),
    )
}

function decisionFrom({ keep, apart }: DecideOptions): ConflictDecision {
  if (keep !== undefined && !apart) return { decision: 'keep', sku: keep }
  if (keep === undefined && apart) return { decision: 'apart' }
  throw new Refusal('invalid_request', 'Give one of --keep <sku> and --apart.')
}

function showConflictDecision({ lab, cert_num, decision, sku, disabled }: DecidedConflict): string {
  const name = `${lab} ${cert_num}`
  if (decision === 'apart') return `Apart: the stones with ${name} are sold each by itself.`
  const others = disabled.length > 0 ? disabled.join(', ') : 'none'
  return `Kept: ${sku} is the stone of ${name}. Disabled: ${others}.`
}

function quarantineCommand(): Command {
  const description = 'List suspicious rows of the latest imports, which are not on sale'
  return withPageOptions(command('quarantine', description, 'pavilion inventory quarantine'))
    .action((options: PageOptions) =>
      onMarket(
        options,
        ({ database: { db } }) =>
          readPages(options, async (page) => (await listQuarantine(db, page)).rows),
        (rows) =>
          tableOf(
            rows,
            {
              uuid: 'UUID',
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
    .addCommand(decideCommand('release', 'released', 'Put a row in quarantine on sale as it is'))
    .addCommand(decideCommand('dismiss', 'dismissed', 'Remove a row from quarantine, unsold'))
}

function decideCommand(verb: string, decision: QuarantineDecision, description: string): Command {
  const example = `pavilion inventory quarantine ${verb} 0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90`
  return command(verb, description, example)
    .argument('<uuid>', 'UUID of the row, as listed by "pavilion inventory quarantine"', readUuid)
    .action((uuid: string, options: CommonOptions) =>
      onMarket(
        options,
        ({ database }) => decideQuarantined(database, uuid, decision),
        showDecision,
      ),
    )
}

function showDecision({ decision, vendor_sku, supplier, sku }: DecidedRow): string {
  const stone = `${vendor_sku} of ${supplier}`
  if (decision === 'released') return `Released: ${stone} is on sale as ${sku}.`
  return `Dismissed: ${stone} stays off sale until its price changes.`
}
