import { setTimeout as sleep } from 'node:timers/promises'

/** Servers on a busy machine take a while, but not for ever. */
const WAIT_MS = 110_000
const ASK_AGAIN_MS = 100

/** Resolves when the condition holds. Rejects, naming what was waited for, before a test ends. */
export async function until(condition: () => Promise<boolean> | boolean, what: string) {
  const endsAtMs = performance.now() + WAIT_MS
  while (!(await condition())) {
    if (performance.now() > endsAtMs) throw new Error(`waited too long until ${what}`)
    await sleep(ASK_AGAIN_MS)
  }
}
