import { readOffsetSeconds } from '../../../database/clock.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { isoFromMilliseconds } from '../../../lib/timestamps.ts'
import { ADVANCED_DAYS_MAX, advanceClock, resetClock } from '../../../orders/sandbox/clock.ts'
import { writeOnce } from '../../request/idempotency.ts'
import { type App, anyToken } from '../../route.ts'
import { ClockBody, ClockSchema } from '../../schemas/stock/sandbox.ts'
import type { Services } from '../../services.ts'

const config = { access: anyToken } as const
const tags = ['Sandbox']

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
      const moved = await writeOnce(db, request, reply, 200, async (tx) =>
        render(await (advance === undefined ? resetClock(tx) : advanceClock(tx, advance))),
      )
      await clock.measure()
      return moved
    },
  )

  function render(advanced_seconds: number) {
    const now = isoFromMilliseconds(clock.databaseNow() + advanced_seconds * 1000)
    return { now, advanced_seconds }
  }
}

function oneOfBoth(): Refusal {
  const message = 'or reset must be given, and not both: {"advance": "3d"} or {"reset": true}'
  return new Refusal('invalid_request', `advance ${message}.`, {
    errors: [{ field: 'advance', message }],
  })
}
