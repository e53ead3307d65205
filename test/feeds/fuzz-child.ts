import { readJewelryFile } from '../../src/jewelry/importing/reading/read-file.ts'
import { Refusal } from '../../src/lib/refusal.ts'
import { inPieces, readStones } from './feed-support.ts'
import { damagedFile, hostileFile, largeHostileFiles, randomFrom } from './hostile-files.ts'
import { hostileTexts } from './hostile-texts.ts'

/**
 * Reads `<count>` files that follow from `<seed>`, each as stones and as jewelry, in a process of
 * its own with a small heap: a file that could end the server ends this process. Prints JSON.
 */
const [seed, count] = process.argv.slice(2).map(Number)
const random = randomFrom(seed)
let refused = 0
let peakBytes = 0

async function survives(read: () => Promise<unknown>, name: string): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw new Error(`${name} of seed ${seed}`, { cause: error })
    if (error.message.length > 1_000) throw new Error(`${name}: ${error.message.length} characters`)
    refused++
  }
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
}

async function readBoth(bytes: Buffer, name: string): Promise<void> {
  await survives(() => readStones(bytes), `${name}, as stones,`)
  await survives(() => readJewelryFile(inPieces(bytes, 65_536)), `${name}, as jewelry,`)
}

await readBoth(hostileTexts(), 'the file of hostile texts')
const large = largeHostileFiles(random)
for (const [index, bytes] of large.entries()) await readBoth(bytes, `large file ${index}`)
for (let index = large.length; index < count; index++) {
  const bytes = random() < 0.75 ? damagedFile(random) : hostileFile(random)
  await readBoth(bytes, `file ${index}`)
}
process.stdout.write(JSON.stringify({ files: count, refused, peakBytes }))
