import { describe, expect, it, vi } from 'vitest'
import { oneAtATime, shareRun } from '../../src/lib/one-at-a-time.ts'

/** Work that ends when it is told to; each run returns its number. */
function createWork() {
  const ends: (() => void)[] = []
  const run = async () => {
    const number = ends.length + 1
    await new Promise<void>((resolve) => ends.push(resolve))
    return number
  }
  return { run, runs: () => ends.length, end: (number: number) => ends[number - 1]() }
}

const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
}

describe('oneAtATime', () => {
  it('lets every caller wait for a run that started after its call', async () => {
    const work = createWork()
    const ended: string[] = []
    const call = oneAtATime(async () => {
      await work.run()
    })
    void call().then(() => ended.push('first'))
    void call().then(() => ended.push('same turn'))
    await turns()
    // The first run has read its data already, so these need a second one, which they share.
    void call().then(() => ended.push('second'))
    void call().then(() => ended.push('third'))
    await turns()
    expect([ended, work.runs()]).toEqual([[], 1])
    work.end(1)
    await turns()
    expect([ended, work.runs()]).toEqual([['first', 'same turn'], 2])
    work.end(2)
    await turns()
    expect([ended, work.runs()]).toEqual([['first', 'same turn', 'second', 'third'], 2])
  })

  it('rests after a run as long as it took, up to a limit, and callers share the next', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
    try {
      const work = createWork()
      const call = oneAtATime(() => work.run(), 10)
      void call()
      await turns()
      vi.advanceTimersByTime(4)
      work.end(1)
      await turns()
      const both = Promise.all([call(), call()])
      await turns()
      vi.advanceTimersByTime(3)
      await turns()
      expect(work.runs()).toBe(1)
      vi.advanceTimersByTime(1)
      await turns()
      expect(work.runs()).toBe(2)
      vi.advanceTimersByTime(60_000)
      work.end(2)
      expect(await both).toEqual([2, 2])
      void call()
      vi.advanceTimersByTime(10)
      await turns()
      expect(work.runs()).toBe(3)
    } finally {
      vi.useRealTimers()
    }
  })

  it('goes on after a run that failed', async () => {
    let runs = 0
    const call = oneAtATime(async () => {
      runs += 1
      if (runs === 1) throw new Error('failed once')
    })
    await expect(call()).rejects.toThrow('failed once')
    await call()
    expect(runs).toBe(2)
  })
})

describe('shareRun', () => {
  it('gives callers during a run the result of that run', async () => {
    const work = createWork()
    const call = shareRun(work.run)
    const both = Promise.all([call(), call()])
    work.end(1)
    expect(await both).toEqual([1, 1])
    const next = call()
    work.end(2)
    expect(await next).toBe(2)
  })
})
