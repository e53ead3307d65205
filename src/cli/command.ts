import { Command, Option } from 'commander'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { isOutage } from '../database/errors.ts'
import { Refusal } from '../lib/refusal.ts'
import { isoWithOffset, isPrinted } from '../lib/timestamps.ts'
import { type Market, withMarket } from './market.ts'

/** Done, refused or failed, wrong usage. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const

/** Options that every command has. */
export interface CommonOptions {
  json?: boolean
  sandbox?: boolean
}

/** The example of each command; a group shows that of its first. */
const examples = new WeakMap<Command, string>()

/** A command with the options that all have; `example` is shown at the end of its help. */
export function command(name: string, description: string, example: string): Command {
  const made = new Command(name)
    .description(description)
    .option('--json', 'print one JSON document on stdout')
    .option('--sandbox', 'act on the sandbox')
    .addHelpText('after', helpOf(example))
  examples.set(made, example)
  return made
}

function helpOf(example: string): string {
  return `\nExample:\n  ${example}`
}

/** A command that only holds others: `merchant` for `merchant create`. */
export function commandGroup(name: string, description: string, commands: Command[]): Command {
  const group = new Command(name).description(description)
  for (const each of commands) group.addCommand(each)
  return group.addHelpText('after', helpOf(examples.get(commands[0]) ?? ''))
}

/** Runs the work of a command on its market, then prints what it gave. */
export function onMarket<Options extends CommonOptions, Result>(
  options: Options,
  work: (market: Market) => Promise<Result>,
  show: (result: Result) => string,
): Promise<void> {
  return runCommand(async () => {
    const config: Config = readConfig()
    const result = await withMarket(config, options.sandbox ? 'test' : 'live', work)
    print(options, result, show)
  })
}

/** One JSON document, or words for a person. */
export function print<Result>(
  options: CommonOptions,
  result: Result,
  show: (result: Result) => string,
): void {
  const text = options.json ? JSON.stringify(result, onTheWire, 2) : show(result)
  process.stdout.write(`${text}\n`)
}

/** Timestamps leave as everywhere: ISO 8601 with an offset, not as PostgreSQL prints them. */
function onTheWire(_name: string, value: unknown): unknown {
  return typeof value === 'string' && isPrinted(value) ? isoWithOffset(value) : value
}

/** Talk and progress: on stderr, so that stdout holds the result alone. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Turns what the work throws into a message and an exit code. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    process.exitCode = EXIT.failed
    say(messageOf(error))
  }
}

function messageOf(error: unknown): string {
  if (error instanceof ConfigError) return `The settings are wrong: ${sentence(error.message)}`
  if (error instanceof Refusal) return refusalText(error)
  if (isOutage(error)) return `The database does not answer: ${(error as Error).message}`
  return error instanceof Error ? error.message : String(error)
}

function sentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`
}

function refusalText(refusal: Refusal): string {
  const errors = (refusal.errors ?? []).map(({ field, message }) => `  ${field}: ${message}`)
  return [refusal.message, ...errors].join('\n')
}

/** An option that may be given several times: `--scope search --scope orders:read`. */
export function repeated(flags: string, description: string): Option {
  const collect = (value: string, earlier: string[] | undefined) => [...(earlier ?? []), value]
  return new Option(flags, description).argParser(collect)
}
