import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { measure, type Timing } from '../support/measure.ts'

/** Milliseconds of one query, and how many stones it finds. */
export interface QueryTimes extends Timing {
  found: number
  /** p50 without the bitmap cache, which is the first time that a filter is used. */
  uncached: number
  postgres: number
}

/** What bench/search measured with one number of stones. */
export interface SizeResult {
  stones: number
  loadSeconds: number
  /** Bytes of the index for each stone. */
  perStone: number
  /** Milliseconds that one core needs to read a column of four bytes once. */
  columnMs: number
  times: Record<string, QueryTimes>
}

export interface Results {
  machine: string
  day: string
  sizes: SizeResult[]
}

export function readResults(file: string): Results {
  return JSON.parse(readFileSync(file, 'utf8')) as Results
}

/** Adds the figures of one size, replacing earlier ones of the same size. */
export function addResult(file: string, result: SizeResult): void {
  const known = existsSync(file) ? readResults(file).sizes : []
  const others = known.filter(({ stones }) => stones !== result.stones)
  const cores = cpus()
  const results: Results = {
    machine: `${cores.length} cores, ${cores[0]?.model ?? 'unknown'}, Node ${process.version}`,
    day: new Date().toISOString().slice(0, 10),
    sizes: [...others, result].toSorted((a, b) => a.stones - b.stones),
  }
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
}

/** p50 of adding up a column of the size: a search that looks at every stone cannot be faster. */
export async function readOnce(stones: number): Promise<number> {
  const column = Uint32Array.from({ length: stones }, (_, index) => index)
  let sum = 0
  const { p50 } = await measure(50, () => {
    for (let index = 0; index < column.length; index++) sum = (sum + column[index]) | 0
  })
  if (Number.isNaN(sum)) throw new Error('the sum was not made')
  return p50
}
