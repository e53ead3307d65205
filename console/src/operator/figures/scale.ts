/** What is drawn above one place of the axis. */
export interface Point {
  /** Below the axis, such as "3 Jan". */
  short: string
  /** In a sentence, such as "Jan 3, 2026". */
  long: string
  value: number
  /** How much of it went wrong. */
  part?: number | undefined
  /** The same in the period before. */
  before?: number | undefined
}

/** The bounds of an axis and where its lines are: round numbers that include zero. */
export interface Scale {
  low: number
  high: number
  ticks: number[]
}

export function scaleOf(values: readonly number[], lines: number, isWhole: boolean): Scale {
  const top = Math.max(0, ...values)
  const bottom = Math.min(0, ...values)
  const step = stepOf((top - bottom || 1) / lines, isWhole)
  const low = Math.floor(bottom / step) * step
  const high = Math.max(Math.ceil(top / step) * step, low + step)
  const ticks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => {
    return low + at * step
  })
  return { low, high, ticks }
}

/** The next of 1, 2, 5, 10, 20, 50 and so on. */
function stepOf(least: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least * 0.999)
  return Math.max(step ?? least, isWhole ? 1 : 0)
}

/** Which points get a label below the axis: as many as fit, the last one always. */
export function labelled(points: number, width: number, labelWidth: number): number[] {
  const fitting = Math.max(1, Math.floor(width / labelWidth))
  const every = Math.max(1, Math.ceil(points / fitting))
  return Array.from({ length: points }, (_, at) => at).filter((at) => {
    return (points - 1 - at) % every === 0
  })
}
