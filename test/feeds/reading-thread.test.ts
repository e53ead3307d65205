import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PLAIN_OPTIONS } from '../../src/feeds/reading/stone-list.ts'
import { readInThread } from '../../src/feeds/reading/thread/read-in-thread.ts'
import { readJewelryInThread } from '../../src/jewelry/importing/reading/read-in-thread.ts'
import { inPieces, readStones } from './feed-support.ts'
import { workbookOf } from './hostile-files.ts'

const row = (cells: string[]) =>
  `<row>${cells.map((cell) => `<c t="str"><v>${cell}</v></c>`).join('')}</row>`
const HEADER = ['Stock #', 'Shape', 'Weight', 'Color', 'Clarity', 'Price Per Carat']

describe('the thread that reads a workbook', () => {
  it('gives the same stones as reading it here, in many batches', async () => {
    const stones = Array.from({ length: 20_000 }, (_, index) =>
      row([`S-${index}`, 'Round', `${1 + (index % 90) / 100}`, 'G', 'VS1', `${5000 + index}`]),
    )
    const bytes = workbookOf(row(HEADER) + stones.join(''))
    const [here, there] = [await readStones(bytes), await readStones(bytes, { inThread: true })]
    expect(there.drafts).toHaveLength(20_000)
    expect(there.drafts).toEqual(here.drafts)
  })

  it('passes a refusal on', async () => {
    const bytes = workbookOf('<row><c r="ZZZZZZZ2"><v>1</v></c></row>')
    await expect(readStones(bytes, { inThread: true })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('a cell ZZZZZZZ2'),
    })
  })

  it('ends alone when a workbook needs more memory than it may use', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pavilion-test-'))
    try {
      const path = join(folder, 'workbook')
      const strings = Array.from({ length: 500_000 }, (_, index) => `<si><t>text ${index}</t></si>`)
      await writeFile(path, workbookOf(row(HEADER), strings.join('')))
      await expect(readInThread(path, PLAIN_OPTIONS, 16)).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('more than 16 MiB of memory'),
      })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

describe('the thread that reads a jewelry file', () => {
  it('ends alone when the file needs more memory than it may use', async () => {
    const rings = Array.from(
      { length: 200_000 },
      (_, index) => `R-${index},Rings,Ring ${index},${index}`,
    )
    const file = Buffer.from(`Stock Number,Jewelry Type,Jewelry Title,Price\n${rings.join('\n')}`)
    await expect(readJewelryInThread(inPieces(file, 65_536), undefined, 16)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('more than 16 MiB of memory'),
    })
  })
})
