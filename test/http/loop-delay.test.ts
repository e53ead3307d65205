import { Server } from 'node:net'
import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLoopDelay } from '../../src/http/overload/loop-delay.ts'

const LIMITS = { loopDelayMs: 20, callsPerTurn: 2, burstMs: 300 }

let now = 0
let idle = 0
beforeEach(() => {
  now = 0
  idle = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(
    () => ({ idle }) as EventLoopUtilization,
  )
})
afterEach(() => vi.restoreAllMocks())

function start(waiting = () => 0) {
  const loop = createLoopDelay(new Server(), waiting, LIMITS)
  /** One turn of the loop with a call every ten milliseconds; how many of them were refused. */
  return async (calls: number, { idleMs = 0 } = {}) => {
    let refused = 0
    for (let call = 0; call < calls; call++) {
      if (loop.refuses(() => `caller ${call}`)) refused++
      now += 10
    }
    idle += idleMs
    await nextTurn()
    return refused
  }
}

describe('a loop without idle time', () => {
  it('refuses what a turn cannot begin in its time, once that has lasted for a burst', async () => {
    const turn = start()
    expect(await turn(30)).toBe(0)
    expect(await turn(10)).toBeGreaterThan(0)
  })

  it('still refuses after a single moment of idle time, and no longer after two', async () => {
    const turn = start()
    for (let turns = 0; turns < 4; turns++) await turn(20)
    expect(await turn(20, { idleMs: 100 })).toBeGreaterThan(0)
    expect(await turn(20)).toBeGreaterThan(0)
    expect(await turn(20)).toBeGreaterThan(0)
    for (let turns = 0; turns < 4; turns++) await turn(20, { idleMs: 100 })
    expect(await turn(15)).toBe(0)
  })

  it('refuses no call of a few callers, although one waits for a long turn', async () => {
    const turn = start(() => 1)
    for (let turns = 0; turns < 100; turns++) expect(await turn(2)).toBe(0)
  })

  it('refuses every call while many calls of the burst wait for a turn', async () => {
    let waiting = 0
    const turn = start(() => waiting)
    for (let turns = 0; turns < 4; turns++) await turn(20)
    waiting = 100
    expect(await turn(5)).toBe(5)
    waiting = 1
    expect(await turn(5)).toBeLessThan(5)
  })
})
