import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse'
import { openFeed, readFileBytes } from '../src/feeds/reading/open-feed.ts'
import { writeMessyFile } from './import/file.ts'

/**
 * Our reader of delimited text compared with csv-parse.
 *
 *     npx tsx bench/import-reading.ts [rows]     200,000 unless given
 */
const rows = Number(process.argv[2] ?? 200_000)
const folder = await mkdtemp(join(tmpdir(), 'pavilion-bench-'))
try {
  const path = join(folder, 'messy.csv')
  await writeMessyFile(path, rows)
  const ours = await timed(async () => {
    for await (const batch of (await openFeed(readFileBytes(path))).rows()) {
      // Cells are read when they are asked for; the other side has read them all.
      for (const row of batch) void row.cells.length
    }
  })
  const theirs = await timed(async () => {
    const parser = createReadStream(path).pipe(parse({ bom: true, relax_column_count: true }))
    for await (const row of parser) void row.length
  })
  process.stdout.write(
    `ours ${Math.round(rows / ours)} rows/s, csv-parse ${Math.round(rows / theirs)} rows/s, ` +
      `ratio ${(theirs / ours).toFixed(1)}\n`,
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now()
  await work()
  return (performance.now() - startMs) / 1000
}
