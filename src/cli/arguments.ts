/**
 * Parsers for the values of options and arguments. A value that they refuse is wrong usage: the
 * command ends with exit code 2 and names the option.
 */
import { InvalidArgumentError, Option } from 'commander'

export function readUuid(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase()
  throw new InvalidArgumentError('Expected a UUID.')
}

/** Returns a parser for whole numbers between two bounds, both included. */
export function readWholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`)
  }
}

/** An amount of US dollars above 0, in cents. */
export function readCents(text: string): bigint {
  const match = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text)
  const cents = match ? BigInt(match[1] + (match[2] ?? '').padEnd(2, '0')) : 0n
  if (cents > 0n) return cents
  throw new InvalidArgumentError(
    'Expected an amount above 0 with at most two decimals, such as 45.',
  )
}

export function readYesOrNo(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new InvalidArgumentError('Expected yes or no.')
}

/** The same as for a line over HTTP: `line` of `http/schemas/fields.ts`. */
const LINE_LENGTH_MAX = 200

/** Returns a parser for texts in one line, which may be empty. */
export function readLineUpTo(lengthMax: number): (text: string) => string {
  const line = new RegExp(`^[^\\p{Cc}]{0,${lengthMax}}$`, 'u')
  return (text) => {
    if (line.test(text)) return text
    throw new InvalidArgumentError(`Expected one line of at most ${lengthMax} characters.`)
  }
}

/** A text in one line, which may be empty. */
export const readLine = readLineUpTo(LINE_LENGTH_MAX)

/** A text in one line, such as a name, that says something. */
export function readName(text: string): string {
  if (text.trim() !== '') return readLine(text)
  throw new InvalidArgumentError(`Expected one line of 1 to ${LINE_LENGTH_MAX} characters.`)
}

export function readCurrency(text: string): string {
  if (/^[A-Z]{3}$/i.test(text)) return text.toUpperCase()
  throw new InvalidArgumentError('Expected a currency code of three letters, such as USD.')
}

/** An option that may be given several times: `--add <id> --add <id>`. */
export function repeated(flags: string, description: string): Option {
  const collect = (value: string, earlier: string[] | undefined) => [...(earlier ?? []), value]
  return new Option(flags, description).argParser(collect)
}
