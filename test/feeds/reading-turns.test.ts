import { describe, expect, it } from 'vitest'
import { openFeed } from '../../src/feeds/reading/open-feed.ts'
import { Refusal } from '../../src/lib/refusal.ts'

const HEADER = 'Stock #,Shape,Weight,Color,Clarity,Price\n'
const MEGABYTES = 2
const PIECES = (MEGABYTES * 1e6) / 65_536

/** The whole file in one chunk, as a file system may give it. */
async function* inOnePiece(start: string, piece: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(start + piece.repeat(Math.ceil((MEGABYTES * 1e6) / piece.length)))
}

/** Reads to the end, and counts how often the process could do something else meanwhile. */
async function readAndCount(bytes: AsyncIterable<Uint8Array>) {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  let rows = 0
  try {
    for await (const batch of (await openFeed(bytes)).rows()) rows += batch.length
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
  }
  isDone = true
  return { rows, turns }
}

/** Envelopes in envelopes, each of which could be a stone. */
const nested = `${'[{"a":'.repeat(28)}[${'{"b":1},'.repeat(30_000)}{}]${'}]'.repeat(28)},`

describe('reading a file', () => {
  it.each([
    ['lines that each seem to begin an endless quoted record', HEADER, 'a","b\n'],
    ['quotes', HEADER, '"'],
    ['quoted cells of one row', HEADER, '"\n",'],
    ['one line', HEADER, 'x'],
    ['nested envelopes', '[', nested],
    ['objects that are not stones', '[', '{},'],
  ])('of %s ends, and lets requests be answered between its pieces', async (_name, ...parts) => {
    const { turns } = await readAndCount(inOnePiece(...(parts as [string, string])))
    expect(turns).toBeGreaterThanOrEqual(Math.floor(PIECES / 4))
  })

  it('keeps the rows of a stock list in which one line has a stray quote', async () => {
    const line = 'A-1,round,"1.01,G,VS1,1000\n'
    const { rows } = await readAndCount(inOnePiece(HEADER + line, 'A-2,round,1.02,G,VS1,2000\n'))
    expect(rows).toBeGreaterThan(70_000)
  })
})
