import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  buildSegment,
  encode,
  match,
  newRows,
  newStore,
  openSegment,
  putRow,
  type Segment,
  setCode,
  type TableSpec,
  upsert,
  writeSegment,
} from '../../src/index/index.ts'

const SPEC: TableSpec = {
  primary: 'price',
  columns: [
    { kind: 'text', name: 'sku' },
    { kind: 'number', name: 'price', ranged: true },
    { kind: 'number', name: 'price_us', ranged: true, sorted: true, follows: true },
    { kind: 'number', name: 'weight', ranged: true, sorted: true },
    { kind: 'code', name: 'color', values: ['D', 'E', 'F'] },
    { kind: 'code', name: 'lab', values: 'open' },
    { kind: 'sparse', name: 'held_until' },
  ],
}

const stone = fc.record({
  sku: fc.constantFrom('A-1', 'é', null),
  price: fc.constantFrom(1, 2, 1000, 6e9),
  weight: fc.constantFrom(-3, 300, 70_000, 5e9, null),
  color: fc.constantFrom('D', 'E', null),
  lab: fc.constantFrom('GIA', 'IGI', '$array', null),
  held_until: fc.constantFrom(5, null),
})

type Drawn = typeof stone extends fc.Arbitrary<infer T> ? T : never

function segmentOf(stones: readonly Drawn[]): Segment {
  const rows = newRows(SPEC)
  for (const [i, { sku, price, weight, color, lab, held_until }] of stones.entries()) {
    const codes = [encode(rows.dictionaries.color, color), encode(rows.dictionaries.lab, lab)]
    putRow(rows, i, i + 1, [sku, price, price * 2, weight, ...codes, held_until])
  }
  return buildSegment(rows)
}

const example = () => segmentOf(fc.sample(stone, { seed: 1, numRuns: 50 }))
const about = { sequence: 12, origin: 'here' }

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'segment-file-'))
  path = join(folder, 'indexes', 'live.index')
})

afterEach(() => rmSync(folder, { recursive: true }))

function write(segment: Segment, to = path): string | undefined {
  return writeSegment(segment, { path: to, about })()
}

function read(): Segment | undefined {
  const opened = openSegment(path)
  try {
    return opened?.read()
  } finally {
    opened?.close()
  }
}

/** Everything but where the memory is. */
function contentOf({ arena, ...content }: Segment): unknown {
  return { ...content, used: new Uint8Array(arena.memory.buffer, 0, arena.free) }
}

describe('the file of a segment', () => {
  it('has every array as it was, of any rows', () => {
    fc.assert(
      fc.property(fc.array(stone, { maxLength: 40 }), (stones) => {
        const segment = segmentOf(stones)
        expect(write(segment)).toBeUndefined()
        const again = read()
        expect(again && contentOf(again)).toEqual(contentOf(segment))
        expect(again?.arena.memory.buffer.byteLength).toBe(segment.arena.memory.buffer.byteLength)
      }),
      { numRuns: 40 },
    )
  })

  it('makes a store that can be searched and changed', () => {
    write(example())
    const store = newStore(SPEC, read() as Segment)
    upsert(store, 7, ['B-2', 5, 10, null, 1, 0, null])
    expect(store.aliveCount).toBe(49)
  })

  it('leaves space for values that no row had when it was written', () => {
    const colors = Array.from({ length: 60 }, (_, i) => `color ${i}`)
    const spec: TableSpec = {
      primary: 'price',
      columns: [
        { kind: 'number', name: 'price' },
        { kind: 'code', name: 'color', values: colors },
      ],
    }
    const rows = newRows(spec)
    for (let id = 1; id <= 40_000; id++) putRow(rows, id - 1, id, [id, 1])
    write(buildSegment(rows))
    const store = newStore(spec, read() as Segment)
    for (const [i, color] of colors.entries()) setCode(store, i + 1, 'color', color)
    const counts = colors.map((color) => {
      return match(store, [{ kind: 'oneOf', column: 'color', values: [color] }]).total
    })
    expect(counts).toEqual([39_941, ...colors.slice(1).map(() => 1)])
  })

  it('says what was written about it', () => {
    expect(openSegment(path)).toBeUndefined()
    write(example())
    const opened = openSegment(path)
    expect(opened?.about).toEqual(about)
    opened?.close()
  })

  it('is refused when any byte of it differs', () => {
    write(example())
    const bytes = readFileSync(path)
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(bytes)
        changed[at] ^= change
        writeFileSync(path, changed)
        expect(read).toThrow(/checksum|layout|too short/)
      }),
      { numRuns: 150 },
    )
  })

  it('is refused when it ends too early, anywhere', () => {
    write(example())
    const bytes = readFileSync(path)
    for (const length of [0, 1, 63, 64, 100, bytes.length >> 1, bytes.length - 1]) {
      writeFileSync(path, bytes.subarray(0, length))
      expect(read).toThrow(/too short|checksum/)
    }
  })

  it('is refused when other code has laid it out', () => {
    write(example())
    const text = readFileSync(path, 'latin1')
    const other = text.replace(/^pavilion index \w{16}/, `pavilion index ${'0'.repeat(16)}`)
    writeFileSync(path, other, 'latin1')
    expect(read).toThrow('it has another layout')
  })
})

describe('writing the file of a segment', () => {
  it('leaves the older file until the new one is whole, as when the process is killed', () => {
    const older = segmentOf([])
    write(older)
    const finish = writeSegment(example(), { path, about })
    expect(contentOf(read() as Segment)).toEqual(contentOf(older))
    expect(finish()).toBeUndefined()
    expect(read()?.size).toBe(50)
  })

  it('is left to another process that has begun, unless that was long ago', () => {
    const finish = writeSegment(example(), { path, about })
    expect(write(segmentOf([]))).toMatch('EEXIST')
    expect(finish()).toBeUndefined()
    expect(read()?.size).toBe(50)
    writeFileSync(`${path}.new`, 'left by a process that was killed')
    utimesSync(`${path}.new`, 1, 1)
    expect(write(segmentOf([]))).toBeUndefined()
    expect(read()?.size).toBe(0)
  })

  it('returns why it could not, and leaves nothing behind', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(write(example(), join(folder, 'file', 'live.index'))).toMatch(/EEXIST|ENOTDIR/)
    write(segmentOf([]), join(folder, 'taken', 'live.index', 'x'))
    expect(write(example(), join(folder, 'taken', 'live.index'))).toMatch(/EISDIR|ENOTEMPTY|EEXIST/)
    expect(existsSync(join(folder, 'taken', 'live.index.new'))).toBe(false)
  })
})
