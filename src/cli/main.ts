import { Command, CommanderError } from 'commander'
import { readVersion } from '../version.ts'
import { catalogueCommand } from './catalogue.ts'
import { EXIT } from './command.ts'
import { completionCommand } from './completion.ts'
import { consoleCommand } from './console.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { fxCommand } from './fx.ts'
import { importCommand } from './import/import.ts'
import { importsCommand } from './import/imports.ts'
import { jewelryCommand } from './import/jewelry.ts'
import { inventoryCommand } from './inventory.ts'
import { merchantCommand } from './merchant.ts'
import { migrateCommand } from './migrate.ts'
import { orderCommand } from './order.ts'
import { sandboxCommand } from './sandbox.ts'
import { addressCommand, marginCommand, templateCommand } from './settings.ts'
import { startCommand } from './start.ts'
import { supplierCommand } from './supplier.ts'
import { tokenCommand } from './token.ts'
import { webhookCommand } from './webhook.ts'

/** The whole command line. `ls src/cli` is its table of contents. */
export function buildProgram(): Command {
  const program = new Command('pavilion')
    .description('A marketplace server for diamonds, gemstones and jewelry')
    .version(readVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', '\nExample:\n  pavilion start')
  program.addCommand(startCommand())
  program.addCommand(migrateCommand())
  program.addCommand(demoCommand())
  program.addCommand(supplierCommand())
  program.addCommand(importCommand())
  program.addCommand(importsCommand())
  program.addCommand(inventoryCommand())
  program.addCommand(merchantCommand())
  program.addCommand(tokenCommand())
  program.addCommand(orderCommand())
  program.addCommand(webhookCommand())
  program.addCommand(marginCommand())
  program.addCommand(addressCommand())
  program.addCommand(templateCommand())
  program.addCommand(consoleCommand())
  program.addCommand(fxCommand())
  program.addCommand(jewelryCommand())
  program.addCommand(catalogueCommand())
  program.addCommand(sandboxCommand())
  program.addCommand(doctorCommand())
  program.addCommand(completionCommand(program))
  everyCommand(program, (command) =>
    command
      .exitOverride()
      .showHelpAfterError('(--help shows how)')
      // An option behind a sub-command is the sub-command's: `import undo --sandbox`.
      .enablePositionalOptions(),
  )
  return program
}

export async function main(argv: readonly string[]): Promise<void> {
  try {
    await buildProgram().parseAsync(argv)
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Help and version end here too, with code 0; everything else is wrong usage.
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage
  }
}

function everyCommand(command: Command, visit: (command: Command) => void): void {
  visit(command)
  for (const child of command.commands) everyCommand(child, visit)
}
