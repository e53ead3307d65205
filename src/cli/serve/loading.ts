import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../http/route.ts'

/** Called now and then with the number of stones that were read so far. */
export type OnLoading = (stones: number) => void

const CHECK_MS = 50
const REPORT_EVERY_MS = 2_000

/** Resolves when the indexes of the markets are loaded, so that searches are answered. */
export async function waitForIndexes(apps: Iterable<App>, onLoading: OnLoading): Promise<void> {
  const indexes = [...apps].flatMap(({ services: { diamonds, gemstones } }) => [
    diamonds.index,
    gemstones.index,
  ])
  let reportedAt = performance.now()
  while (indexes.some((index) => index.sequence() === undefined)) {
    if (performance.now() - reportedAt >= REPORT_EVERY_MS) {
      reportedAt = performance.now()
      onLoading(indexes.reduce((sum, index) => sum + index.stonesRead(), 0))
    }
    // Does not keep a process alive that is told to stop while it loads.
    await sleep(CHECK_MS, undefined, { ref: false })
  }
}
