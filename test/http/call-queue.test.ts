import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CallQueue, createCallQueue } from '../../src/http/overload/call-queue.ts'

const LIMITS = { running: 20, least: 2, steady: 6, burst: 20, burstMs: 300 }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Returns how many more calls, each of another caller, are accepted; they stay in flight. */
function enterUntilRefused(queue: CallQueue): number {
  for (let count = 0; ; count++) {
    if (queue.refuses(`caller ${count}`)) return count
    void queue.enter(`caller ${count}`)
  }
}

function leaveAll(queue: CallQueue, count: number): void {
  for (let caller = 0; caller < count; caller++) queue.leave(`caller ${caller}`)
}

/** Returns a queue that has been crowded for longer than a burst, with so many calls in flight. */
function overloadedQueue() {
  const queue = createCallQueue(LIMITS)
  const count = enterUntilRefused(queue)
  vi.advanceTimersByTime(LIMITS.burstMs + 1)
  return { queue, count }
}

describe('the calls in flight', () => {
  it('are many in a burst, and fewer when it does not end', () => {
    const { queue, count } = overloadedQueue()
    expect(count).toBe(20)
    queue.noteRefusal()
    leaveAll(queue, 20)
    expect(enterUntilRefused(queue)).toBe(6)
  })

  it('are the least while more calls are refused than accepted', () => {
    const { queue } = overloadedQueue()
    for (let count = 0; count < 60; count++) {
      expect(() => queue.enter('caller 0')).toThrow('more calls than it can answer')
    }
    leaveAll(queue, 20)
    expect(enterUntilRefused(queue)).toBe(2)
  })

  it('are more again when most calls are accepted', () => {
    const { queue } = overloadedQueue()
    for (let count = 0; count < 60; count++) queue.noteRefusal()
    leaveAll(queue, 20)
    for (let count = 0; count < 60; count++) {
      void queue.enter('a shop')
      queue.leave('a shop')
    }
    expect(enterUntilRefused(queue)).toBe(6)
  })

  it('are as many as in a burst when nothing was refused for a while', () => {
    const { queue } = overloadedQueue()
    queue.noteRefusal()
    vi.advanceTimersByTime(LIMITS.burstMs + 1)
    leaveAll(queue, 20)
    expect(enterUntilRefused(queue)).toBe(20)
  })
})
