import { timingOf } from '../support/measure.ts'

/** What a soak learns about its calls, by kind of call. */
export interface Recording {
  /** Notes an answer; `problem` is the code and the detail of a refusal. */
  answered(kind: string, ms: number, status: number, problem?: string): void
  /** Notes a call that ended without an answer although its caller waited for one. */
  lost(kind: string, reason: string): void
  /** Notes a call whose caller hung up on purpose. */
  hungUp(kind: string): void
  summary(fromMs: number, toMs: number): Summary
}

export interface KindSummary {
  kind: string
  calls: number
  succeeded: number
  p50Ms: [first: number, last: number]
  p99Ms: [first: number, last: number]
  /** The last quarter's p99 divided by the first quarter's. */
  p99Ratio: number
}

export interface Summary {
  calls: number
  statuses: Record<string, number>
  /** Responses of 500 and more, as `503 overloaded: …`. */
  serverErrors: Record<string, number>
  lost: Record<string, number>
  hungUp: Record<string, number>
  kinds: KindSummary[]
}

interface Timed {
  endedAtMs: number[]
  ms: number[]
  succeeded: number
}

/** Refusals that keep a busy server answering. A lack of file descriptors is a leak. */
const DELIBERATE = /^503 (overloaded|uploads_full|not_ready: Too many snapshots)(?!.*open files)/

export function isDeliberate(serverError: string): boolean {
  return DELIBERATE.test(serverError)
}

export function startRecording(): Recording {
  const timed = new Map<string, Timed>()
  const statuses = new Map<string, number>()
  const serverErrors = new Map<string, number>()
  const lost = new Map<string, number>()
  const hungUp = new Map<string, number>()
  return {
    answered(kind, ms, status, problem) {
      add(statuses, String(status))
      if (status >= 500) add(serverErrors, `${status} ${problem ?? 'without a code'}`)
      const times = timed.get(kind) ?? { endedAtMs: [], ms: [], succeeded: 0 }
      timed.set(kind, times)
      times.endedAtMs.push(performance.now())
      times.ms.push(ms)
      if (status < 400) times.succeeded++
    },
    lost: (kind, reason) => add(lost, `${kind}: ${reason}`),
    hungUp: (kind) => add(hungUp, kind),
    summary: (fromMs, toMs) => ({
      calls: [...statuses.values()].reduce((sum, count) => sum + count, 0),
      statuses: Object.fromEntries(statuses),
      serverErrors: Object.fromEntries(serverErrors),
      lost: Object.fromEntries(lost),
      hungUp: Object.fromEntries(hungUp),
      kinds: [...timed].map(([kind, times]) => summaryOf(kind, times, fromMs, toMs)),
    }),
  }
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function summaryOf(kind: string, times: Timed, fromMs: number, toMs: number): KindSummary {
  const quarterMs = (toMs - fromMs) / 4
  const between = (startMs: number, endMs: number) =>
    timingOf(times.ms.filter((_, i) => times.endedAtMs[i] >= startMs && times.endedAtMs[i] < endMs))
  const first = between(fromMs, fromMs + quarterMs)
  const last = between(toMs - quarterMs, toMs)
  return {
    kind,
    calls: times.ms.length,
    succeeded: times.succeeded,
    p50Ms: [first.p50, last.p50],
    p99Ms: [first.p99, last.p99],
    p99Ratio: last.p99 / first.p99,
  }
}
