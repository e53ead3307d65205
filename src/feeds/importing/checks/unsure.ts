import { Refusal } from '../../../lib/refusal.ts'

/** One way to read a value, and the option that chooses it. */
interface PossibleReading {
  /** The option on the command line and over HTTP, such as `--price total`. */
  option: string
  meaning: string
}

/** A question about a file that only the operator or the supplier can answer. */
interface ImportQuestion {
  about: 'price' | 'currency' | 'type' | 'shape'
  question: string
  readings: PossibleReading[]
  /** A few stones under each reading, side by side, such as "4.01 ct: 69,774 or 17,400?". */
  examples: string[]
}

/**
 * Refuses a file whose meaning is not certain, with everything that helps to decide: a wrong stone
 * in the market costs the customer, while a question costs a minute.
 */
export function refuseUnsure(question: ImportQuestion): never {
  const options = question.readings.map(({ option, meaning }) => `${option} (${meaning})`)
  const detail = [
    question.question,
    ...question.examples,
    `Import again with ${options.join(' or ')}; nothing was changed.`,
  ].join(' ')
  throw new Refusal('import_unsure', detail, { extra: { questions: [question] } })
}
