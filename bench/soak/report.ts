import { printTable } from '../support/measure.ts'
import type { MemorySlope } from './memory.ts'
import { isDeliberate, type KindSummary, type Summary } from './record.ts'
import type { Check } from './stock.ts'

export interface SoakResult extends Summary {
  minutes: number
  memory: MemorySlope
  webhooks: { received: number; refused: number }
  /** Lines of the server's log of level `warn` and above. */
  warnings: Record<string, number>
  /** What must be 0 after the last call. */
  checks: Check[]
  failures: string[]
}

/** Why the soak fails; empty when all is well. */
export function findFailures(result: Omit<SoakResult, 'failures'>): string[] {
  const { serverErrors, lost, checks, kinds } = result
  return [
    ...Object.entries(serverErrors)
      .filter(([name]) => !isDeliberate(name))
      .map(([name, count]) => `${count} answers ${name}`),
    ...Object.entries(lost).map(([name, count]) => `${count} calls without an answer, ${name}`),
    ...checks.filter(({ wrong }) => wrong !== 0).map(({ name, wrong }) => `${name}: ${wrong}`),
    // A soak whose calls are all refused shows nothing.
    ...kinds.filter(isNeverAnswered).map(({ kind }) => `no call of the kind "${kind}" succeeded`),
  ]
}

/** Wrong on purpose, or possible only for an order or an import in the right state. */
const MAY_FAIL = /^(wrong request|hang-up|import undo|order \w+)$/
/** The few calls of a short run may all be refused. */
const CALLS_MIN = 20

function isNeverAnswered({ kind, calls, succeeded }: KindSummary): boolean {
  return succeeded === 0 && calls >= CALLS_MIN && !MAY_FAIL.test(kind)
}

export function printResult(result: SoakResult): void {
  const { kinds, memory, statuses, serverErrors, hungUp, webhooks, warnings, checks } = result
  const perSecond = result.calls / (result.minutes * 60)
  console.log(`${result.calls} calls in ${result.minutes} minutes, ${perSecond.toFixed(0)}/s\n`)
  printTable(
    ['kind', 'calls', 'succeeded', 'p50 ms first', 'last', 'p99 ms first', 'last', 'last / first'],
    kinds
      .toSorted((a, b) => b.calls - a.calls)
      .map(({ kind, calls, succeeded, p50Ms, p99Ms, p99Ratio }) => [
        kind,
        String(calls),
        String(succeeded),
        ...[...p50Ms, ...p99Ms].map((ms) => shown(ms, 1)),
        `${shown(p99Ratio, 2)} x`,
      ]),
  )
  console.log(`\nfirst and last are quarters of the time after the warm-up`)
  console.log(
    `memory: ${memory.perMinute.toFixed(2)} MB a minute, ${memory.first.toFixed(0)} MB at the ` +
      `first and ${memory.last.toFixed(0)} MB at the last of ${memory.samples} samples`,
  )
  console.log(`answers by status: ${counted(statuses)}`)
  console.log(`5xx: ${counted(serverErrors)}`)
  console.log(`hung up before the answer: ${counted(hungUp)}`)
  console.log(`webhooks: ${webhooks.received} received, ${webhooks.refused} of them refused`)
  console.log(`warnings in the log: ${counted(warnings)}`)
  for (const { name, wrong } of checks) console.log(`${name}: ${wrong}`)
  for (const failure of result.failures) console.log(`FAILED: ${failure}`)
  if (result.failures.length === 0) console.log('all is well')
}

/** A kind that was not called in a quarter has no time. */
function shown(value: number | undefined, digits: number): string {
  return Number.isFinite(value) ? Number(value).toFixed(digits) : '-'
}

function counted(counts: Record<string, number>): string {
  const entries = Object.entries(counts).map(([name, count]) => `${name} × ${count}`)
  return entries.length > 0 ? entries.join(', ') : 'none'
}
