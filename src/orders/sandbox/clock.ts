import { recordEntry } from '../../audit/record-entry.ts'
import { moveClock } from '../../database/clock.ts'
import type { Tx } from '../../database/open.ts'
import { Refusal } from '../../lib/refusal.ts'

/** Longer than anything that a client waits for, and still in this century. */
export const ADVANCED_DAYS_MAX = 3_650
/** `3d`, `36h`, `1d12h`; seven digits are more than the clock can be moved by. */
export const DURATION = '^([0-9]{1,7}[smhdw]){1,5}$'

const UNIT_SECONDS = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
  ['w', 604_800],
])

/** Moves the clock of a sandbox forward, and returns by how many seconds it is ahead now. */
export async function advanceClock(tx: Tx, duration: string): Promise<number> {
  const { before, after } = await moveClock(tx, secondsOf(duration))
  if (after > ADVANCED_DAYS_MAX * 86_400) {
    const most = `moves the clock more than ${ADVANCED_DAYS_MAX} days ahead in all`
    throw invalid(`${most}; reset it first`)
  }
  await record(tx, 'clock.advance', before, after)
  return after
}

/** Sets the real time again. */
export async function resetClock(tx: Tx): Promise<number> {
  const { before, after } = await moveClock(tx, 'reset')
  await record(tx, 'clock.reset', before, after)
  return after
}

function secondsOf(duration: string): number {
  if (!new RegExp(DURATION).test(duration)) {
    throw invalid('must be a number with s, m, h, d or w, such as 3d or 1d12h')
  }
  const parts = duration.match(/\d+[smhdw]/g) ?? []
  return parts.reduce(
    (sum, part) => sum + Number(part.slice(0, -1)) * (UNIT_SECONDS.get(part.slice(-1)) ?? 0),
    0,
  )
}

function record(tx: Tx, action: string, before: number, after: number): Promise<void> {
  return recordEntry(tx, {
    action,
    subject: { kind: 'market', id: 'clock' },
    before: { advanced_seconds: before },
    after: { advanced_seconds: after },
  })
}

function invalid(message: string): Refusal {
  return new Refusal('invalid_request', `advance ${message}.`, {
    errors: [{ field: 'advance', message }],
  })
}
