import type { Metric, Registry } from 'prom-client'

const NAME = 'pavilion_http_request_duration_seconds'
const HELP = 'Time from a request to its answer'
const BOUNDS_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

interface Series {
  labels: { method: string; route: string; status: number }
  /** One count for each bound, and one for what took longer. */
  counts: number[]
  sumSeconds: number
}

/** The durations of one route, by status. */
export type RecordDuration = (status: number, milliseconds: number) => void
export type DurationsOf = (method: string, route: string) => RecordDuration

/**
 * A histogram of durations by method, route and status. The library's own checks and hashes its
 * labels at each observation, which was a tenth of a small answer's whole cost (bench/http); here
 * a route holds on to its series, and the library only prints them.
 */
export function createDurations(registry: Registry): DurationsOf {
  const all: Series[] = []
  // The library asks of a metric that it has a name and answers `get`; its type knows classes only.
  const metric = { name: NAME, get: async () => rendered(all), reset: () => all.forEach(empty) }
  registry.registerMetric(metric as unknown as Metric)
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

function rendered(all: readonly Series[]) {
  return {
    name: NAME,
    help: HELP,
    type: 'histogram',
    aggregator: 'sum',
    values: all.flatMap(lines),
  }
}

/** The lines of a series: how many took at most each bound, all together, and their sum. */
function lines({ labels, counts, sumSeconds }: Series) {
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
