import { recordEntry } from '../../../audit/record-entry.ts'
import { moveClock, readOffsetSeconds } from '../../../database/clock.ts'
import type { Tx } from '../../../database/open.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { writeOnce } from '../../request/idempotency.ts'
import { type App, anyToken } from '../../route.ts'
import { ClockBody, ClockSchema } from '../../schemas/stock/sandbox.ts'
import type { Services } from '../../services.ts'

const config = { access: anyToken } as const
const tags = ['Sandbox']

const UNIT_SECONDS = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
  ['w', 604_800],
])
/** Longer than anything that a client waits for, and still in this century. */
const ADVANCED_DAYS_MAX = 3_650

/** Moves the time of a sandbox: everything in it that depends on time sees the moved one. */
export function registerClock(app: App, services: Services): void {
  const { db, clock } = services

  app.get(
    '/api/sandbox/clock',
    {
      config,
      schema: { tags, summary: 'Returns the time of the sandbox', response: { 200: ClockSchema } },
    },
    async () => render(await readOffsetSeconds(db)),
  )

  app.post(
    '/api/sandbox/clock',
    {
      config,
      schema: {
        tags,
        summary: 'Moves the time of the sandbox forward, or sets it right again',
        description:
          'Holds, memos, quotes, tokens and reminders see the moved time at once, on every node. ' +
          `Advances add up, to ${ADVANCED_DAYS_MAX} days at most. Webhooks are still sent in ` +
          'real time, because their receivers have no other.',
        body: ClockBody,
        response: { 200: ClockSchema },
      },
    },
    async (request, reply) => {
      const { advance, reset } = request.body
      if ((advance === undefined) === (reset === undefined)) throw oneOfBoth()
      const moved = await writeOnce(db, request, reply, 200, async (tx) => {
        const seconds = advance === undefined ? 'reset' : secondsOf(advance)
        const { before, after } = await moveClock(tx, seconds)
        refuseTooFar(after)
        await record(tx, before, after)
        return render(after)
      })
      await clock.measure()
      return moved
    },
  )

  function render(advanced_seconds: number) {
    const now = new Date(clock.databaseNow() + advanced_seconds * 1000).toISOString()
    return { now, advanced_seconds }
  }
}

function record(tx: Tx, before: number, after: number): Promise<void> {
  return recordEntry(tx, {
    action: after === 0 ? 'clock.reset' : 'clock.advance',
    subject: { kind: 'market', id: 'clock' },
    before: { advanced_seconds: before },
    after: { advanced_seconds: after },
  })
}

/** `1d12h` is 129,600; the schema allows nothing else than numbers with units. */
function secondsOf(text: string): number {
  const parts = text.match(/\d+[smhdw]/g) ?? []
  return parts.reduce(
    (sum, part) => sum + Number(part.slice(0, -1)) * (UNIT_SECONDS.get(part.slice(-1)) ?? 0),
    0,
  )
}

function refuseTooFar(seconds: number): void {
  if (seconds <= ADVANCED_DAYS_MAX * 86_400) return
  const message = `moves the clock more than ${ADVANCED_DAYS_MAX} days ahead in all; reset it first`
  throw new Refusal('invalid_request', `advance ${message}.`, {
    errors: [{ field: 'advance', message }],
  })
}

function oneOfBoth(): Refusal {
  const message = 'or reset must be given, and not both: {"advance": "3d"} or {"reset": true}'
  return new Refusal('invalid_request', `advance ${message}.`, {
    errors: [{ field: 'advance', message }],
  })
}
