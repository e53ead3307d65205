import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openFeed } from '../../src/feeds/reading/open-feed.ts'
import { Refusal } from '../../src/lib/refusal.ts'
import { asJson, asText, DIALECTS, textStyle, tradeStones } from './dialects.ts'
import { inPieces, readStones } from './feed-support.ts'

/** The result must be stones and rejections, or a refusal with a message. */
async function survives(bytes: Uint8Array): Promise<void> {
  try {
    const { drafts, rejections } = await readStones(bytes, { chunkBytes: 997 })
    for (const draft of drafts) {
      expect(draft.weight).toBeGreaterThan(0)
      expect(Number(draft.cost)).toBeGreaterThan(0)
    }
    for (const rejection of rejections) expect(rejection.reason).not.toBe('')
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
  }
}

function damaged(bytes: Buffer, damages: { at: number; kind: number; byte: number }[]): Buffer {
  let result = Buffer.from(bytes)
  for (const { at, kind, byte } of damages) {
    const index = at % Math.max(1, result.length)
    if (kind === 0) result[index] = byte
    if (kind === 1)
      result = Buffer.concat([
        result.subarray(0, index),
        Buffer.from([byte]),
        result.subarray(index),
      ])
    if (kind === 2)
      result = Buffer.concat([result.subarray(0, index), result.subarray(index + (byte % 50))])
    if (kind === 3) result = result.subarray(0, index)
  }
  return result
}

const damages = fc.array(fc.record({ at: fc.nat(100_000), kind: fc.nat(3), byte: fc.nat(255) }), {
  minLength: 1,
  maxLength: 12,
})

describe('a damaged file', () => {
  it('of random bytes never breaks the reader', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 3_000 }), survives), {
      numRuns: 150,
    })
  })

  it('of text never breaks the reader', async () => {
    await fc.assert(
      fc.asyncProperty(
        tradeStones(3, 12),
        textStyle,
        damages,
        fc.nat(DIALECTS.length - 1),
        (stones, style, harm, dialect) =>
          survives(damaged(asText(stones.map(DIALECTS[dialect].cells), style), harm)),
      ),
      { numRuns: 150 },
    )
  })

  it('of JSON never breaks the reader', async () => {
    await fc.assert(
      fc.asyncProperty(
        tradeStones(3, 12),
        fc.constantFrom('array', 'lines', 'envelope'),
        damages,
        (stones, style, harm) =>
          survives(damaged(asJson(stones.map(DIALECTS[3].cells), style), harm)),
      ),
      { numRuns: 150 },
    )
  })
})

/** Reads to the end without keeping the rows, and returns their number. */
async function countRows(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let rows = 0
  try {
    for await (const lot of (await openFeed(bytes)).rows()) rows += lot.length
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
  }
  return rows
}

async function* endless(
  start: string,
  piece: string,
  megabytes: number,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(start)
  const bytes = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
  for (let sent = 0; sent < megabytes * 1e6; sent += bytes.length) yield bytes
}

describe('a very long file', () => {
  const header = 'Stock #,Shape,Weight,Color,Clarity,Price\n'
  for (const [name, start, piece] of [
    ['in one line', '', 'x'],
    ['in one line under a header', header, 'abc,def '],
    ['in one quoted cell', `${header}A-1,"`, 'word '],
    ['in quotes', header, '"'],
    ['in one JSON string', '{"a":"', 'x'],
    ['in JSON brackets', '', '['],
    ['in JSON braces', '[', '{"a":'],
    ['in one JSON stone', '[{"stock":"a","weight":1,"shape":"round","price":1},{"stock":"', 'x'],
  ] as const) {
    it(`is read in bounded memory: ${name}`, async () => {
      const before = process.memoryUsage().rss
      await countRows(endless(start, piece, 150))
      // The whole file would be 150 MB of bytes and twice that as text.
      expect(process.memoryUsage().rss - before).toBeLessThan(250e6)
    })
  }

  it('is read in bounded memory: unpacked from a small gzip file', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000, 'x,'))
    expect(bomb.length).toBeLessThan(1e6)
    const before = process.memoryUsage().rss
    await countRows(inPieces(bomb, 65_536))
    expect(process.memoryUsage().rss - before).toBeLessThan(250e6)
  })
})

/** `.ci/run` reads 5,000. */
const FILES = Number(process.env.FUZZ_FILES ?? 1_000)

/** The child is compiled, so that it runs what a server runs, without what a loader adds to it. */
async function readInChild(seed: number) {
  // Beside node_modules, where its imports are found.
  const folder = await mkdtemp(resolve('.build-'))
  const outfile = join(folder, 'fuzz-child.js')
  try {
    await build({
      entryPoints: [resolve('test/feeds/fuzz-child.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
    })
    const args = ['--max-old-space-size=384', outfile, String(seed), String(FILES)]
    // A file that is read for ever keeps the event loop, so the child is killed from outside.
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 600_000 })
    return JSON.parse(stdout) as { files: number; refused: number; peakBytes: number }
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('any file', () => {
  it(`is read or refused in bounded memory: ${FILES} files, damaged and hostile`, async () => {
    const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
    console.info(`the files follow from FUZZ_SEED=${seed}`)
    const { files, refused, peakBytes } = await readInChild(seed)
    expect(files).toBe(FILES)
    expect(refused).toBeGreaterThan(FILES / 10)
    expect(peakBytes).toBeLessThan(700e6)
  }, 900_000)
})
