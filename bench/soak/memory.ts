import { residentMegabytes } from './server.ts'

export interface MemorySlope {
  /** Megabytes a minute, by least squares. */
  perMinute: number
  first: number
  last: number
  samples: number
}

const SAMPLE_MS = 2_000

/** Samples the memory of the server's processes until it is stopped. */
export function watchMemory(pid: number) {
  const samples: { atMs: number; megabytes: number }[] = []
  const take = async () => {
    const megabytes = await residentMegabytes(pid)
    samples.push({ atMs: performance.now(), megabytes })
  }
  const timer = setInterval(() => void take(), SAMPLE_MS)
  return {
    stop: () => clearInterval(timer),
    /** Of the samples since `fromMs`, when the warm-up is over. */
    slope(fromMs: number): MemorySlope {
      const counted = samples.filter(({ atMs }) => atMs >= fromMs)
      const minutes = counted.map(({ atMs }) => (atMs - fromMs) / 60_000)
      const megabytes = counted.map((sample) => sample.megabytes)
      return {
        perMinute: slopeOf(minutes, megabytes),
        first: megabytes[0] ?? 0,
        last: megabytes.at(-1) ?? 0,
        samples: counted.length,
      }
    },
  }
}

function slopeOf(xs: number[], ys: number[]): number {
  const meanX = mean(xs)
  const meanY = mean(ys)
  const covariance = xs.reduce((sum, x, i) => sum + (x - meanX) * (ys[i] - meanY), 0)
  const variance = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0)
  return variance === 0 ? 0 : covariance / variance
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
