import type { Progress } from '../../lib/progress.ts'

const BAR_WIDTH = 30
/** Where lines are kept, in a log or a pipe, one now and then is enough. */
const LINE_EVERY_MS = 5_000

export interface ProgressBar {
  show: (progress: Progress) => void
  /** Takes the bar off the terminal, whatever came of the work. */
  end: () => void
}

/** Shows long work on stderr: a bar with rate and time left on a terminal, lines elsewhere. */
export function startProgressBar(
  noun: string,
  out: NodeJS.WriteStream = process.stderr,
): ProgressBar {
  if (out.isTTY) {
    return {
      show: (progress) => void out.write(`\r\x1b[K${barOf(progress)} ${wordsOf(progress, noun)}`),
      end: () => void out.write('\r\x1b[K'),
    }
  }
  let shownMs = Date.now()
  return {
    show(progress) {
      if (Date.now() - shownMs < LINE_EVERY_MS) return
      shownMs = Date.now()
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
  return `${count}, ${rows_per_second.toLocaleString('en')} a second, ${seconds_left} s left`
}
