import { Type } from 'typebox'
import { DURATION } from '../../../orders/sandbox/clock.ts'
import { flag, inlineObject, integer, object, text, timestamp, uuid } from '../fields.ts'

/** How a developer moves the time of a sandbox. */
export const ClockBody = inlineObject(
  {
    advance: Type.Optional(
      text('How far to move the clock forward: a number and s, m, h, d or w', '3d', {
        pattern: DURATION,
        maxLength: 50,
      }),
    ),
    reset: Type.Optional(flag('Sets the real time again', true, { const: true })),
  },
  { title: 'ClockMove', examples: [{ advance: '3d' }] },
)

export const ClockSchema = object('SandboxClock', {
  now: timestamp('The time of the sandbox', '2026-02-03T09:15:00.123000+00:00'),
  advanced_seconds: integer('How far it is ahead of the real time', 259_200),
})

/** Of a step that others take in production. */
export const StepParams = inlineObject({ uuid: uuid('UUID of the order') })
