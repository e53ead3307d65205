/** The entry point of the command line, which bin/pavilion launches. */
import { Command, CommanderError } from 'commander'
import { readVersion } from '../version.ts'
import { completeCommand, EXIT } from './command.ts'
import { completionCommand } from './completion.ts'
import { printJsonError } from './output/print.ts'

type Commands = Record<string, () => Promise<Command>>

/**
 * Every command by its name, in the groups and the order in which `--help` lists it. Each is loaded
 * with what it needs when it is called, because loading all of them takes longer than most work.
 */
const GROUPS: Record<string, Commands> = {
  'Server:': {
    start: async () => (await import('./start.ts')).startCommand(),
    migrate: async () => (await import('./database/migrate.ts')).migrateCommand(),
    backup: async () => (await import('./database/backup.ts')).backupCommand(),
    restore: async () => (await import('./database/restore.ts')).restoreCommand(),
    demo: async () => (await import('./demo.ts')).demoCommand(),
    sandbox: async () => (await import('./sandbox.ts')).sandboxCommand(),
    secret: async () => (await import('./secret.ts')).secretCommand(),
    notices: async () => (await import('./events/notices.ts')).noticesCommand(),
    openapi: async () => (await import('./output/openapi.ts')).openApiCommand(),
    doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  },
  'Stock:': {
    supplier: async () => (await import('./supplier.ts')).supplierCommand(),
    import: async () => (await import('./import/import.ts')).importCommand(),
    imports: async () => (await import('./import/imports.ts')).importsCommand(),
    source: async () => (await import('./source.ts')).sourceCommand(),
    gem: async () => (await import('./stock/gem.ts')).gemCommand(),
    inventory: async () => (await import('./stock/inventory.ts')).inventoryCommand(),
    grid: async () => (await import('./import/grid.ts')).gridCommand(),
    jewelry: async () => (await import('./import/jewelry.ts')).jewelryCommand(),
    catalogue: async () => (await import('./catalogue.ts')).catalogueCommand(),
  },
  'Merchants:': {
    merchant: async () => (await import('./merchant/merchant.ts')).merchantCommand(),
    token: async () => (await import('./token.ts')).tokenCommand(),
    user: async () => (await import('./merchant/user.ts')).userCommand(),
    mcp: async () => (await import('./merchant/mcp.ts')).mcpCommand(),
    console: async () => (await import('./console.ts')).consoleCommand(),
    margin: async () => (await import('./merchant/margin.ts')).marginCommand(),
    address: async () => (await import('./merchant/address.ts')).addressCommand(),
    template: async () => (await import('./merchant/template.ts')).templateCommand(),
    webhook: async () => (await import('./events/webhook.ts')).webhookCommand(),
    listen: async () => (await import('./events/listen.ts')).listenCommand(),
  },
  'Trade:': {
    order: async () => (await import('./orders/order.ts')).orderCommand(),
    quote: async () => (await import('./orders/quote.ts')).quoteCommand(),
    memo: async () => (await import('./orders/memo.ts')).memoCommand(),
    return: async () => (await import('./orders/return.ts')).returnCommand(),
    settings: async () => (await import('./orders/settings.ts')).settingsCommand(),
    'charge-rule': async () => (await import('./orders/charge-rule.ts')).chargeRuleCommand(),
    fx: async () => (await import('./fx.ts')).fxCommand(),
    audit: async () => (await import('./orders/audit.ts')).auditCommand(),
  },
}

/** The command line as the arguments need it; without arguments all of it. */
export async function buildProgram(args: readonly string[] = []): Promise<Command> {
  const program = new Command('pavilion')
    .description('A marketplace server for diamonds, gemstones and jewelry')
    .version(readVersion(), '--version', 'Print the version')
    .addHelpText('after', '\nRun "pavilion <command> --help" for the options of a command.')
    .addHelpText('after', '\nExample:\n  pavilion start')
  const isNeeded = neededBy(args)
  for (const [heading, commands] of Object.entries(GROUPS)) {
    program.commandsGroup(heading)
    for (const [name, load] of Object.entries(commands)) {
      if (isNeeded(name)) program.addCommand(await load())
    }
  }
  program.commandsGroup('Other:').addCommand(completionCommand(program))
  completeCommand(program)
  return program
}

/** The command that is named; none for the version; all of them for help, completion or a typo. */
function neededBy([first]: readonly string[]): (name: string) => boolean {
  if (first === '--version') return () => false
  const isCommand = Object.values(GROUPS).some((commands) => Object.hasOwn(commands, first ?? ''))
  return (name) => !isCommand || name === first
}

export async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', endQuietly)
  try {
    const program = await buildProgram(argv.slice(2))
    await program.parseAsync(argv)
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Commander also throws after it has printed help or the version; that has exit code 0.
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage
    if (error.exitCode !== 0 && wantsJson(argv)) {
      printJsonError({ code: 'wrong_usage', detail: usageDetail(error) })
    }
  }
}

/**
 * The reader of the output, such as `head`, has seen enough. A running server goes on: it has a
 * listener of its own (serve/log.ts).
 */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  if (process.stdout.listenerCount('error') === 1) process.exit()
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
