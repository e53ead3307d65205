/**
 * What all commands have in common: the options `--json` and `--sandbox`, an example at the end of
 * the help, and one way to run. A command opens its market, does its work, prints the result, and
 * turns an error into a message on stderr, with `--json` into JSON on stdout too, and an exit code.
 */
import { Command, Option } from 'commander'
import { type Config, readConfig } from '../config.ts'
import type { Db } from '../database/open.ts'
import type { Merchant } from '../merchants/merchant.ts'
import type { Market, OpeningOptions } from './market.ts'
import { print, printError } from './output/print.ts'

export const EXIT = { done: 0, failed: 1, usage: 2 } as const

/** Options that every command has. */
export interface CommonOptions {
  json?: boolean
  sandbox?: boolean
}

/** Whether a key works in the sandbox only. */
export function isSandboxKey(key: string): boolean {
  return key.startsWith('pav_test_')
}

/** The market that a command calls over HTTP. */
export function addressFor(
  key: string,
  { url, sandbox }: CommonOptions & { url?: string },
  { calls, publicUrl, sandboxPublicUrl }: Pick<Config, 'calls' | 'publicUrl' | 'sandboxPublicUrl'>,
): string {
  const isSandbox = sandbox || isSandboxKey(key)
  return url ?? calls.url ?? (isSandbox ? sandboxPublicUrl : publicUrl)
}

/** The commands that `command` made, with their examples. Groups are not among them. */
const examples = new WeakMap<Command, string>()

export function command(name: string, description: string, example: string): Command {
  const made = new Command(name).description(description).addHelpText('after', helpOf(example))
  examples.set(made, example)
  return made
}

/** A command that only holds others, such as `merchant`. Its help shows the first one's example. */
export function commandGroup(name: string, description: string, commands: Command[]): Command {
  const group = new Command(name).description(description)
  for (const each of commands) group.addCommand(each)
  return group.addHelpText('after', helpOf(examples.get(commands[0]) ?? ''))
}

function helpOf(example: string): string {
  return `\nExample:\n  ${example}`
}

/** The commands that are about production and the sandbox together: they take no `--sandbox`. */
const bothMarkets = new WeakSet<Command>()

/** The same, for a command that is about production and the sandbox together. */
export function commandOfBoth(name: string, description: string, example: string): Command {
  const made = command(name, description, example)
  bothMarkets.add(made)
  return made
}

const COMMON = 'Common options:'
const JSON_OPTION = ['--json', 'Print one JSON document to stdout'] as const
const SANDBOX_OPTION = ['--sandbox', 'Use the sandbox instead of production'] as const

/** Completes a command and those below it. Common options come last, so help lists them last. */
export function completeCommand(each: Command): void {
  const help = new Option('-h, --help', 'Show help')
  if (examples.has(each)) {
    each.addOption(new Option(...JSON_OPTION).helpGroup(COMMON))
    if (!bothMarkets.has(each)) each.addOption(new Option(...SANDBOX_OPTION).helpGroup(COMMON))
    each.addHelpOption(help.helpGroup(COMMON))
  } else {
    each.addHelpOption(help).helpCommand('help [command]', 'Show help for a command')
    each.addOption(new Option(...JSON_OPTION).hideHelp()).hook('preSubcommand', passJsonOn)
  }
  each
    .exitOverride()
    .showHelpAfterError('(run with --help for usage)')
    // Options after a subcommand belong to the subcommand: `import undo --sandbox`.
    .enablePositionalOptions()
  for (const child of each.commands) completeCommand(child)
}

/** What is wrong with `merchant --json` is the missing command; `merchant --json list` is right. */
function passJsonOn(group: Command, child: Command): void {
  if (group.opts<CommonOptions>().json) child.setOptionValue('json', true)
}

/** Runs the work of a command on its market, then prints the result. */
export function onMarket<Options extends CommonOptions, Result>(
  options: Options,
  work: (market: Market) => Promise<Result>,
  show: (result: Result) => string,
  opening?: OpeningOptions,
): Promise<void> {
  return runCommand(options, async () => {
    // Help and the version are faster without the database's modules.
    const { withMarket } = await import('./market.ts')
    const result = await withMarket(readConfig(), options.sandbox ? 'test' : 'live', work, opening)
    print(options, result, show)
  })
}

export interface MerchantOptions extends CommonOptions {
  merchant: string
}

/** The option that names the merchant a command is about. */
export const MERCHANT = ['--merchant <uuid|email>', 'Merchant, by UUID or e-mail address'] as const

/** Like `onMarket`, for a command about the merchant that `--merchant` names. */
export function onMerchant<Options extends MerchantOptions, Result>(
  options: Options,
  work: (db: Db, merchant: Merchant, market: Market) => Promise<Result>,
  show: (result: Result) => string,
): Promise<void> {
  return onMarket(
    options,
    async (market) => {
      const { db } = market.database
      const { getMerchant } = await import('../merchants/merchant-store.ts')
      return work(db, await getMerchant(db, options.merchant), market)
    },
    show,
  )
}

/** Runs the work of a command; an error becomes a message and exit code 1. */
export async function runCommand(options: CommonOptions, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    process.exitCode = EXIT.failed
    printError(options, error)
  }
}
