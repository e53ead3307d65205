import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createShortTurns } from '../../src/http/overload/short-turns.ts'

let now = 0
beforeEach(() => {
  now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => vi.restoreAllMocks())

describe('a turn of the event loop', () => {
  it('begins calls until its time is over, and the others in their order in the next turns', async () => {
    const turns = createShortTurns(20)
    const begun: number[] = []
    for (let call = 1; call <= 6; call++) {
      turns.begin(() => {
        begun.push(call)
        now += 8
      })
    }
    expect(begun).toEqual([1, 2, 3])
    expect(turns.waiting()).toBe(3)
    await nextTurn()
    expect(begun).toEqual([1, 2, 3, 4])
    turns.begin(() => begun.push(7))
    expect(begun).toEqual([1, 2, 3, 4])
    for (let turn = 0; turn < 4; turn++) await nextTurn()
    expect(begun).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(turns.waiting()).toBe(0)
  })

  it('has its own time, however long the turns before it took', async () => {
    const turns = createShortTurns(20)
    const begun: number[] = []
    for (const call of [1, 2, 3]) {
      turns.begin(() => {
        begun.push(call)
        now += 1_000
      })
      await nextTurn()
    }
    expect(begun).toEqual([1, 2, 3])
  })
})
