import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHeldRefusals } from '../../src/http/overload/held-refusals.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function refusedConnections(count: number) {
  const refuse = createHeldRefusals()
  const written: string[] = []
  const connections = Array.from({ length: count }, () => refuse((text) => written.push(text)))
  return { connections, written }
}

describe('the refusal of a caller', () => {
  it('is held for a moment when it calls again too soon', () => {
    const { connections, written } = refusedConnections(1)
    const [connection] = connections
    vi.advanceTimersByTime(100)
    connection?.write('second')
    expect(written).toEqual([])
    vi.advanceTimersByTime(10)
    expect(written).toEqual(['second'])
    connection?.write('third')
    vi.advanceTimersByTime(10)
    expect(written).toEqual(['second', 'third'])
  })

  it('is written at once when it has waited as long as it was told', () => {
    const { connections, written } = refusedConnections(1)
    vi.advanceTimersByTime(2_000)
    connections[0]?.write('second')
    expect(written).toEqual(['second'])
  })

  it('is written once, before the response to the next request', () => {
    const { connections, written } = refusedConnections(1)
    connections[0]?.write('second')
    connections[0]?.flush()
    expect(written).toEqual(['second'])
    vi.advanceTimersByTime(1_000)
    expect(written).toEqual(['second'])
  })

  it('is written when its own time is over, with one timer for all connections', () => {
    const { connections, written } = refusedConnections(3)
    connections[0]?.write('a')
    vi.advanceTimersByTime(4)
    connections[1]?.write('b')
    connections[2]?.write('c')
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(6)
    expect(written).toEqual(['a'])
    vi.advanceTimersByTime(4)
    expect(written).toEqual(['a', 'b', 'c'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is not written early when an earlier one was written before its time', () => {
    const { connections, written } = refusedConnections(1)
    connections[0]?.write('second')
    vi.advanceTimersByTime(5)
    connections[0]?.flush()
    connections[0]?.write('third')
    vi.advanceTimersByTime(7)
    expect(written).toEqual(['second'])
    vi.advanceTimersByTime(3)
    expect(written).toEqual(['second', 'third'])
  })
})
