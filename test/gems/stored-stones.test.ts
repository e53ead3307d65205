import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createStoredStones } from '../../src/gems/search/stored-stones.ts'

const IDS = [1, 2, 3, 4]
const BLOCK = 256

/** The bytes of a stone say which stone and which version of it they are. */
function stoneOf(id: number, version: number): Buffer {
  return Buffer.from(`{"id":${id},"version":${version},${'"x":1,'.repeat(version % 7)}}`)
}

/** Bytes that cannot be compressed. */
function noise(seed: number, length = 300): Buffer {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  }
  return Buffer.from(Array.from({ length }, next))
}

describe('stones on disk', () => {
  it('are stored beside one that is too long to be stored', async () => {
    const stored = createStoredStones()
    await stored.write(new Map([[1, noise(1, 100_000)]]))
    await stored.write(new Map([[2, stoneOf(2, 1)]]))
    expect(await stored.read([1, 2])).toEqual(new Map([[2, stoneOf(2, 1)]]))
    await stored.close()
  })

  it('are as they were written last, and as they were while their change is not written', async () => {
    const step = fc.record({
      id: fc.constantFrom(...IDS),
      what: fc.constantFrom('write', 'outdate', 'outdate all', 'remove'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const stored = createStoredStones()
        const model = new Map<number, { bytes: Buffer; isCurrent: boolean }>()
        for (const [version, { id, what }] of steps.entries()) {
          const bytes = stoneOf(id, version)
          if (what === 'write') {
            await stored.write(new Map([[id, bytes]]))
            model.set(id, { bytes, isCurrent: true })
          } else if (what === 'remove') {
            stored.remove(id)
            model.delete(id)
          } else {
            const changed = what === 'outdate' ? [id] : IDS
            stored.outdate(what === 'outdate' ? new Set(changed) : 'all')
            for (const each of changed) {
              const known = model.get(each)
              if (known) known.isCurrent = false
            }
          }
          const current = IDS.filter((each) => model.get(each)?.isCurrent)
          const found = await stored.read(IDS)
          expect([...found.keys()]).toEqual(current)
          for (const each of current) expect(found.get(each)).toEqual(model.get(each)?.bytes)
          const known = await stored.readKnown([...model.keys()])
          expect(known).toEqual([...model.values()].map((each) => each.bytes))
          expect(stored.size().entries).toBe(model.size)
        }
        await stored.close()
      }),
      { numRuns: 60 },
    )
  })

  it('are never those of another stone, however writes, changes and reads overlap', async () => {
    const stored = createStoredStones(16 * BLOCK)
    const work: Promise<unknown>[] = []
    const wrong: string[] = []
    for (let version = 0; version < 400; version++) {
      const id = IDS[version % IDS.length]
      work.push(stored.write(new Map([[id, stoneOf(id, version)]])))
      if (version % 5 === 0) stored.outdate(new Set([id]))
      if (version % 11 === 0) stored.remove(id)
      const reading = stored.read(IDS).then((found) => {
        for (const [each, bytes] of found) {
          if (!bytes.toString().startsWith(`{"id":${each},`)) wrong.push(bytes.toString())
        }
      })
      work.push(reading)
      if (version % 3 === 0) await reading
    }
    await Promise.all(work)
    expect(wrong).toEqual([])
    await stored.close()
  })

  it('are not stored when they change while they are written', async () => {
    const stored = createStoredStones()
    const writing = stored.write(new Map([[1, stoneOf(1, 1)]]))
    stored.outdate(new Set([1]))
    await writing
    expect([stored.has(1), stored.size()]).toEqual([false, { entries: 0, bytes: 0 }])
    await stored.close()
  })

  it('take no more than the file may have, and space is used again', async () => {
    const stored = createStoredStones(4 * BLOCK)
    for (const id of IDS) await stored.write(new Map([[id, noise(id)]]))
    expect(stored.size().bytes).toBeLessThanOrEqual(4 * BLOCK)
    expect(stored.isFull()).toBe(true)
    const entries = IDS.filter((id) => stored.has(id))
    expect(entries.length).toBeLessThan(IDS.length)
    stored.remove(entries[0])
    expect(stored.isFull()).toBe(false)
    await stored.write(new Map([[entries[0], noise(entries[0])]]))
    expect(stored.has(entries[0])).toBe(true)
    await stored.close()
  })
})
