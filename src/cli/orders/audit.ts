/** Who did what, and when. */
import { type Command, InvalidArgumentError } from 'commander'
import { listEntries } from '../../audit/list-entries.ts'
import { microsecondsFrom } from '../../lib/timestamps.ts'
import { getMerchant } from '../../merchants/merchant-store.ts'
import { readWholeNumber } from '../arguments.ts'
import { type CommonOptions, command, commandGroup, onMarket } from '../command.ts'
import { tableOf } from '../output/table.ts'
import { EXAMPLE_UUID } from './change.ts'

export function auditCommand(): Command {
  return commandGroup('audit', 'List who did what, and when', [listCommand()])
}

interface ListOptions extends CommonOptions {
  actor?: string
  subject?: string
  action?: string
  merchant?: string
  from?: number
  to?: number
  limit: number
  cursor?: string
}

/** As many as one page of the interface. */
const LISTED_MAX = 500
const LISTED = 50

function listCommand(): Command {
  const example = `pavilion audit list --subject ${EXAMPLE_UUID}`
  return command('list', 'List the writes of everybody, newest first', example)
    .option('--actor <uuid>', 'Only of this user or token, of "command_line" or of "system"')
    .option('--subject <id>', 'Only what was done to this: a UUID, of a stone the SKU')
    .option(
      '--action <action>',
      'Only this action, such as order.cancel; "order.*" for all of them',
    )
    .option('--merchant <uuid|email>', 'Only what this merchant did, or what was done to it')
    .option('--from <time>', 'Only from this time on, such as 2026-01-31T09:00:00Z', readMoment)
    .option('--to <time>', 'Only before this time, or day', readMoment)
    .option('--limit <count>', 'Maximum number', readWholeNumber(1, LISTED_MAX), LISTED)
    .option('--cursor <cursor>', 'Go on where a list ended: its next_cursor')
    .action((options: ListOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => {
          const { merchant, limit, cursor, actor, subject, action, from, to } = options
          const merchant_uuid = merchant && (await getMerchant(db, merchant)).uuid
          const filter = { actor, subject, action, from, to, merchant_uuid }
          return listEntries(db, filter, { limit, cursor })
        },
        showEntries,
      ),
    )
}

function readMoment(text: string): number {
  const moment = microsecondsFrom(text)
  if (Number.isNaN(moment)) {
    throw new InvalidArgumentError('Expected a time such as 2026-01-31T09:00:00Z, or a day.')
  }
  return moment
}

function showEntries({ entries, next_cursor }: Awaited<ReturnType<typeof listEntries>>): string {
  const rows = entries.map(({ at, actor, action, subject, before, after, ip }) => ({
    at: at.slice(0, 19).replace('T', ' '),
    actor: actor.name,
    action,
    subject: `${subject.kind} ${subject.id}`,
    fields: Object.keys(after ?? before ?? {}).join(', '),
    ip,
  }))
  const columns = {
    at: 'Time (UTC)',
    actor: 'Actor',
    action: 'Action',
    subject: 'Subject',
    fields: 'Fields',
    ip: 'Address',
  }
  const table = tableOf(rows, columns, 'No entries.')
  return next_cursor === null ? table : `${table}\n\nThere are more: --cursor ${next_cursor}`
}
