/** Percentiles in milliseconds. */
export interface Timing {
  p50: number
  p99: number
}

/** Measures the work `runs` times, after a warm-up that does not count. */
export async function measure(runs: number, work: () => unknown): Promise<Timing> {
  const warmUp = Math.min(50, Math.ceil(runs / 5))
  const times: number[] = []
  for (let run = -warmUp; run < runs; run++) {
    const started = performance.now()
    await work()
    if (run >= 0) times.push(performance.now() - started)
  }
  return timingOf(times)
}

export function timingOf(times: number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  return { p50: at(0.5), p99: at(0.99) }
}

/** Prints a table whose columns are as wide as their widest cell. */
export function printTable(header: string[], rows: string[][]): void {
  const widths = header.map((_, i) => Math.max(...[header, ...rows].map((row) => row[i].length)))
  const line = (row: string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ')
  console.log([line(header), ...rows.map(line)].join('\n'))
}
