import type { Dictionary } from '../language.ts'
import { FRAME } from './frame.ts'
import { PROBLEMS } from './problems.ts'
import { VALUES } from './values.ts'

/** German, by area of the console. An English text stands in one of them; a test checks it. */
export const GERMAN_AREAS: readonly Record<string, string>[] = [FRAME, PROBLEMS, VALUES]

export const GERMAN: Dictionary = new Map(GERMAN_AREAS.flatMap((area) => Object.entries(area)))
