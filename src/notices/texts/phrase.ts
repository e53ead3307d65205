import type { NoticeProduct } from '../../database/tables/mail.ts'

/**
 * A text that is in no language yet: English with placeholders, which is the key of every
 * dictionary, and the values of the placeholders. The server writes it in English
 * (`writing/english.ts`), the console in the language of its reader.
 */
export interface Phrase {
  kind: 'phrase'
  english: string
  values: Readonly<Record<string, Value>>
}

/** What is said by each language in its own way; a string is said as it is. */
export type Value =
  | string
  | Phrase
  | { kind: 'count'; number: number; noun: Noun }
  | { kind: 'money'; amount: number; currency: string }
  | { kind: 'day' | 'time'; timestamp: string }
  /** What somebody typed, in whatever language. */
  | { kind: 'typed'; text: string }
  /** What a program said in English. */
  | { kind: 'program'; text: string }
  | { kind: 'product'; product: NoticeProduct }

type Noun = 'item' | 'line' | 'stone' | 'piece'

export function say(english: string, values: Phrase['values'] = {}): Phrase {
  return { kind: 'phrase', english, values }
}

/** `1 item`, `2 items`. */
export function counted(number: number | undefined, noun: Noun): Value {
  return { kind: 'count', number: number ?? 0, noun }
}

export function amountOf(amount: number | undefined, currency: string | undefined): Value {
  return { kind: 'money', amount: amount ?? 0, currency: currency ?? 'USD' }
}

export function dayOf(timestamp: string): Value {
  return { kind: 'day', timestamp }
}

export function timeOf(timestamp: string): Value {
  return { kind: 'time', timestamp }
}

export function typed(text: string): Value {
  return { kind: 'typed', text }
}

/** A sentence, or nothing where its condition is not met. */
type Sentence = Value | undefined | false

/** What a writer says to one side. */
export interface Text {
  subject: Value
  sentences: readonly Sentence[]
}
