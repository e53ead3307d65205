import {
  type Aggregator,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type Metric,
  Registry,
} from 'prom-client'
import type { RunOutcome } from '../../database/tables/sources.ts'
import type { AttemptOutcome } from '../../events/deliver-webhooks.ts'
import { shareRun } from '../../lib/one-at-a-time.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { MailOutcome } from '../../notices/outbox/send-mails.ts'
import { type App, type DetailsFor, publicAccess, showsDetails } from '../route.ts'

/** What Prometheus reads at `/metrics`: requests, refusals, event loop and process. */
export interface Metrics {
  registry: Registry
  durationsOf: DurationsOf
  /** Counts a response that refused a request. */
  countRefusal: (status: number, code: string) => void
  countWebhookAttempt: (outcome: AttemptOutcome) => void
  countSourceRun: (outcome: RunOutcome) => void
  countMailAttempt: (outcome: MailOutcome) => void
}

/** Records the durations of one route, by status. */
export type RecordDuration = (status: number, milliseconds: number) => void
export type DurationsOf = (method: string, route: string) => RecordDuration

export function createMetrics(app: App): Metrics {
  const registry = new Registry()
  addProcessMetrics(app, registry)
  return { registry, durationsOf: createDurations(registry), ...createCounters(registry) }
}

/**
 * Metrics of the process that no market uses now. The library cannot end what observes the event
 * loop and garbage collections, and that holds on to its registry: with metrics of its own, a
 * closed market would stay in memory.
 */
const unusedOfProcess: Registry[] = []

function addProcessMetrics(app: App, registry: Registry): void {
  const ofProcess = unusedOfProcess.pop() ?? observeProcess()
  for (const metric of ofProcess.getMetricsAsArray()) {
    registry.registerMetric(metric as unknown as Metric)
  }
  app.addHook('onClose', (_app, done) => {
    unusedOfProcess.push(ofProcess)
    done()
  })
}

function observeProcess(): Registry {
  const register = new Registry()
  collectDefaultMetrics({ register })
  return register
}

function createCounters(registry: Registry) {
  const registers = [registry]
  const refusals = new Counter({
    name: 'pavilion_refusals_total',
    help: "Responses that refused a request, by the problem's code",
    labelNames: ['code', 'status'],
    registers,
  })
  const attempts = new Counter({
    name: 'pavilion_webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  const runs = new Counter({
    name: 'pavilion_source_runs_total',
    help: 'Runs of feed sources, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  const mails = new Counter({
    name: 'pavilion_mail_attempts_total',
    help: 'Attempts to hand an e-mail over to the mail server, by outcome',
    labelNames: ['outcome'],
    registers,
  })
  // A rate cannot be computed from the first sample of a series, so these exist from the start.
  for (const outcome of ['delivered', 'retried', 'failed']) attempts.inc({ outcome }, 0)
  for (const outcome of ['done', 'unchanged', 'failed']) runs.inc({ outcome }, 0)
  for (const outcome of ['sent', 'retried', 'failed']) mails.inc({ outcome }, 0)
  return {
    countRefusal: (status: number, code: string) => refusals.inc({ code, status }),
    countWebhookAttempt: (outcome: AttemptOutcome) => attempts.inc({ outcome }),
    countSourceRun: (outcome: RunOutcome) => runs.inc({ outcome }),
    countMailAttempt: (outcome: MailOutcome) => mails.inc({ outcome }),
  }
}

/**
 * Adds gauges whose values are read when the metrics are collected. `aggregator` says how the
 * values of several processes of a node become one.
 */
export function addGauges(
  registry: Registry,
  prefix: string,
  gauges: readonly [name: string, help: string, read: () => number][],
  aggregator: Aggregator = 'sum',
): void {
  for (const [name, help, read] of gauges) {
    new Gauge({
      name: `${prefix}_${name}`,
      help,
      aggregator,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  }
}

interface MetricsOptions {
  detailsFor: DetailsFor
  /** What the path begins with. */
  prefix?: string
  /** Adds up the metrics of several processes; without it the route prints its own. */
  collectMetrics?: (() => Promise<string>) | undefined
}

export function registerMetrics(
  app: App,
  { metrics: { registry } }: { metrics: Metrics },
  { detailsFor, prefix = '', collectMetrics = () => registry.metrics() }: MetricsOptions,
): void {
  const config = { access: publicAccess, undocumented: true } as const
  const collect = shareRun(collectMetrics)
  app.get(`${prefix}/metrics`, { config }, async (request, reply) => {
    if (!showsDetails(detailsFor, request)) throw new Refusal('forbidden', NOT_HERE)
    reply.header('content-type', registry.contentType)
    return collect()
  })
}

const NOT_HERE =
  'Metrics are served on METRICS_PORT, or, without one, to programs on the same machine; ' +
  'the operator can publish them with METRICS_PUBLIC=on.'

const NAME = 'pavilion_http_request_duration_seconds'
const BOUNDS_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

interface Series {
  labels: { method: string; route: string; status: number }
  /** One count for each bound, and one for everything slower. */
  counts: number[]
  sumSeconds: number
}

/**
 * A histogram of durations by method, route and status. The library's own histogram checks and
 * hashes its labels at each observation, which was a tenth of the whole cost of a small response
 * (bench/http). Here a route holds on to its series, and the library only prints them.
 */
function createDurations(registry: Registry): DurationsOf {
  const all: Series[] = []
  const get = async () => ({
    name: NAME,
    help: 'Time from a request to its response',
    type: 'histogram',
    aggregator: 'sum',
    values: all.flatMap(valuesOf),
  })
  // The library needs no more of a metric than a name, `get` and `reset`; its type knows only its
  // own classes.
  registry.registerMetric({ name: NAME, get, reset: () => all.forEach(empty) } as unknown as Metric)
  return (method, route) => {
    const byStatus = new Map<number, Series>()
    return (status, milliseconds) => {
      let series = byStatus.get(status)
      if (!series) {
        const counts = [...BOUNDS_SECONDS, Number.POSITIVE_INFINITY].map(() => 0)
        series = { labels: { method, route, status }, counts, sumSeconds: 0 }
        byStatus.set(status, series)
        all.push(series)
      }
      const seconds = milliseconds / 1000
      let bound = 0
      while (bound < BOUNDS_SECONDS.length && seconds > BOUNDS_SECONDS[bound]) bound++
      series.counts[bound]++
      series.sumSeconds += seconds
    }
  }
}

function empty(series: Series): void {
  series.counts.fill(0)
  series.sumSeconds = 0
}

/** The values of one series: how many took at most each bound, their sum and their count. */
function valuesOf({ labels, counts, sumSeconds }: Series) {
  let count = 0
  const buckets = counts.map((each, index) => {
    count += each
    const le = BOUNDS_SECONDS[index] ?? '+Inf'
    return { metricName: `${NAME}_bucket`, labels: { le, ...labels }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sumSeconds },
    { metricName: `${NAME}_count`, labels, value: count },
  ]
}
