import type { Progress } from '../../lib/progress.ts'

const BAR_WIDTH = 30
/** A log or a pipe keeps every line, so it gets one now and then. */
const LINE_EVERY_MS = 5_000

interface ProgressBar {
  show: (progress: Progress) => void
  /** Clears the bar; called whether the work succeeded or failed. */
  end: () => void
}

/** Shows progress on stderr: a bar with rate and time left on a terminal, lines elsewhere. */
export function startProgressBar(noun: string): ProgressBar {
  const out = process.stderr
  if (out.isTTY) {
    return {
      show: (progress) => void out.write(`\r\x1b[K${barOf(progress)} ${wordsOf(progress, noun)}`),
      end: () => void out.write('\r\x1b[K'),
    }
  }
  let shownMs = performance.now()
  return {
    show(progress) {
      if (performance.now() - shownMs < LINE_EVERY_MS) return
      shownMs = performance.now()
      out.write(`${wordsOf(progress, noun)}\n`)
    },
    end: () => {},
  }
}

function barOf({ rows, total }: Progress): string {
  const filled = Math.round(BAR_WIDTH * Math.min(1, rows / Math.max(1, total)))
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`
}

function wordsOf({ rows, total, rows_per_second, seconds_left }: Progress, noun: string): string {
  const count = `${rows.toLocaleString('en')} of ${total.toLocaleString('en')} ${noun}`
  return `${count}, ${rows_per_second.toLocaleString('en')} per second, ${seconds_left} s left`
}
