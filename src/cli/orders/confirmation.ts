/** The answers of suppliers to an order, recorded by the operator. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { OPERATOR } from '../../orders/order-life.ts'
import { findOrderUuid } from '../../orders/order-store.ts'
import { findSubstitutesInDatabase } from '../../orders/placing/substitutes.ts'
import { confirmLines, declineLines } from '../../orders/steps/confirm-lines.ts'
import { readLine, readUuid } from '../arguments.ts'
import { type CommonOptions, command } from '../command.ts'
import { change, EXAMPLE_UUID, ORDER } from './change.ts'

interface LineOptions extends CommonOptions {
  line?: string[]
}

export function confirmCommand(): Command {
  return linesCommand('confirm', 'Confirm lines that wait for an answer').action(
    (order: string, options: LineOptions) =>
      change(options, async (tx) => {
        const request = { line_item_uuids: options.line }
        return confirmLines(tx, await findOrderUuid(tx, order), request, OPERATOR)
      }),
  )
}

interface DeclineOptions extends LineOptions {
  reason: string
}

export function declineCommand(): Command {
  const description = 'Decline lines that the supplier cannot deliver; their stones are gone'
  return linesCommand('decline', description, ' --reason "sold elsewhere"')
    .requiredOption('--reason <text>', 'Why it cannot be delivered', readReason)
    .action((order: string, options: DeclineOptions) =>
      change(options, async (tx) =>
        declineLines(
          tx,
          await findOrderUuid(tx, order),
          { line_item_uuids: options.line, reason: options.reason },
          OPERATOR,
          // The stones that the event names are without links.
          { findSubstitutes: findSubstitutesInDatabase, publicUrl: '' },
        ),
      ),
    )
}

function readReason(text: string): string {
  if (text.trim() !== '') return readLine(text)
  throw new InvalidArgumentError('Expected a reason, such as "sold elsewhere".')
}

function linesCommand(name: string, description: string, exampleOptions = ''): Command {
  return command(name, description, `pavilion order ${name} ${EXAMPLE_UUID}${exampleOptions}`)
    .argument(...ORDER)
    .addOption(
      new Option(
        '--line <uuid>',
        'Only this line (default: all lines that are possible); repeatable',
      ).argParser((text: string, earlier: string[] | undefined) => [
        ...(earlier ?? []),
        readUuid(text),
      ]),
    )
}
