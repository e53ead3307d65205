import { setTimeout as sleep } from 'node:timers/promises'
import type { Lab } from './lab.ts'

const ROWS = 50
const PAUSE_MS = 2_000
const PATIENCE_MS = 60_000
const QUERY = new URLSearchParams({
  supplier: 'Bench Stones',
  mode: 'update',
  price: 'total',
  // The stones of the bench cost less than any real one.
  accept_prices: 'true',
  max_jumps: '100',
}).toString()

interface Imports {
  /** How many have succeeded. */
  count(): number
  /** Resolves when none is running. */
  pause(): Promise<void>
  resume(): void
  stop(): Promise<void>
}

/**
 * Sends the nodes files of a supplier that change prices. One may fail while the database is away;
 * any other failure is added to the faults.
 */
export function startImports(lab: Lab, faults: string[]): Imports {
  let count = 0
  let isPaused = false
  let isStopped = false
  let current: Promise<void> = Promise.resolve()

  async function importOnce(): Promise<void> {
    const { address } = lab.nodes[Math.floor(Math.random() * lab.nodes.length)]
    const url = `${address}/api/operator/imports?${QUERY}`
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${lab.market.adminKey}`, 'content-type': 'text/csv' },
        body: makeFile(lab.market.stones.length),
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const { code, detail } = (await response.json()) as Record<string, string>
      if (response.status === 200) count++
      // An import that lost its connection may still be running.
      else if (response.status !== 503 && code !== 'import_running') {
        faults.push(`an import was answered with ${response.status} ${code}: ${detail}`)
      }
    } catch {
      // The node or its database is away.
    }
  }

  const run = async () => {
    while (!isStopped) {
      if (!isPaused) {
        current = importOnce()
        await current
      }
      await sleep(PAUSE_MS)
    }
  }
  const running = run()
  return {
    count: () => count,
    async pause() {
      isPaused = true
      await current
    },
    resume() {
      isPaused = false
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}

/** Prices of some stones of bench/orders/market.ts, none too low for a mined one. */
function makeFile(stones: number): string {
  const lines = Array.from({ length: ROWS }, () => {
    const n = 1 + Math.floor(Math.random() * stones)
    const weight = (1 + (n % 100) / 100).toFixed(2)
    return `BS-${n},Natural,Round,${weight},F,VS1,${9_000 + Math.floor(Math.random() * 500)}`
  })
  return ['Stock #,Type,Shape,Weight,Color,Clarity,Total Price', ...lines, ''].join('\n')
}
