/** How far long work has come, for a progress bar. */
export interface Progress {
  rows: number
  total: number
  rows_per_second: number
  seconds_left: number
}

const REPORT_EVERY_MS = 200

/**
 * Returns a function to call with the number of finished rows; it limits the reports. The total may
 * become known only while the work goes on.
 */
export function startProgress(
  total: number | (() => number),
  onProgress: ((progress: Progress) => void) | undefined,
): (rows: number) => void {
  const startMs = performance.now()
  let reportedMs = startMs
  return (rows) => {
    const nowMs = performance.now()
    // Without a finished row there is no rate, and no time left.
    if (!onProgress || rows === 0 || nowMs - reportedMs < REPORT_EVERY_MS) return
    reportedMs = nowMs
    const perSecond = (rows * 1000) / (nowMs - startMs)
    const known = typeof total === 'number' ? total : total()
    const left = Math.max(0, known - rows)
    onProgress({
      rows: Math.min(rows, known),
      total: known,
      rows_per_second: Math.round(perSecond),
      seconds_left: Math.ceil(left / perSecond),
    })
  }
}
