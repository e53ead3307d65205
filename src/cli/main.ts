/** The entry point of the command line, which bin/pavilion launches. */
import { Command, CommanderError } from 'commander'
import { readVersion } from '../version.ts'
import { addressCommand } from './address.ts'
import { catalogueCommand } from './catalogue.ts'
import { completeCommand, EXIT } from './command.ts'
import { completionCommand } from './completion.ts'
import { consoleCommand } from './console.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { fxCommand } from './fx.ts'
import { gridCommand } from './import/grid.ts'
import { importCommand } from './import/import.ts'
import { importsCommand } from './import/imports.ts'
import { jewelryCommand } from './import/jewelry.ts'
import { inventoryCommand } from './inventory.ts'
import { marginCommand } from './margin.ts'
import { merchantCommand } from './merchant.ts'
import { migrateCommand } from './migrate.ts'
import { orderCommand } from './order.ts'
import { printJsonError } from './output/print.ts'
import { sandboxCommand } from './sandbox.ts'
import { secretCommand } from './secret.ts'
import { sourceCommand } from './source.ts'
import { startCommand } from './start.ts'
import { supplierCommand } from './supplier.ts'
import { templateCommand } from './template.ts'
import { tokenCommand } from './token.ts'
import { webhookCommand } from './webhook.ts'

/** The whole command line, in the groups and the order in which `--help` lists it. */
export function buildProgram(): Command {
  const program = new Command('pavilion')
    .description('A marketplace server for diamonds, gemstones and jewelry')
    .version(readVersion(), '--version', 'Print the version')
    .addHelpText('after', '\nRun "pavilion <command> --help" for the options of a command.')
    .addHelpText('after', '\nExample:\n  pavilion start')
  const groups = {
    'Server:': [
      startCommand(),
      migrateCommand(),
      demoCommand(),
      sandboxCommand(),
      secretCommand(),
      doctorCommand(),
    ],
    'Stock:': [
      supplierCommand(),
      importCommand(),
      importsCommand(),
      sourceCommand(),
      inventoryCommand(),
      gridCommand(),
      jewelryCommand(),
      catalogueCommand(),
    ],
    'Merchants:': [
      merchantCommand(),
      tokenCommand(),
      consoleCommand(),
      marginCommand(),
      addressCommand(),
      templateCommand(),
      webhookCommand(),
    ],
    'Trade:': [orderCommand(), fxCommand()],
    'Other:': [completionCommand(program)],
  }
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(heading)
    for (const each of commands) program.addCommand(each)
  }
  completeCommand(program)
  return program
}

export async function main(argv: readonly string[]): Promise<void> {
  try {
    await buildProgram().parseAsync(argv)
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Commander also throws after it has printed help or the version; that has exit code 0.
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage
    if (error.exitCode !== 0 && wantsJson(argv)) {
      printJsonError({ code: 'wrong_usage', detail: usageDetail(error) })
    }
  }
}

/** Options were not understood, so the arguments themselves are searched; `--` ends options. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json')
}

function usageDetail({ code, message }: CommanderError): string {
  // Without a command Commander prints its help, and has no message of its own.
  if (code === 'commander.help') return 'A command is missing; run with --help for usage.'
  return message.replace(/^error: /, '')
}
