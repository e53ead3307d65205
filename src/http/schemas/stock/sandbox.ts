import { Type } from 'typebox'
import { flag, inlineObject, integer, object, text, timestamp } from '../fields.ts'

/** `3d`, `36h`, `1d12h`; seven digits are more than the clock can be moved by. */
const DURATION = '^([0-9]{1,7}[smhdw]){1,5}$'

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
  now: timestamp('The time of the sandbox', '2026-02-03T09:15:00.123Z'),
  advanced_seconds: integer('How far it is ahead of the real time', 259_200),
})
