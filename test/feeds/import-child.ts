import { openDatabase } from '../../src/database/open.ts'
import { runImport } from '../../src/feeds/importing/run-import.ts'
import { undoImport } from '../../src/feeds/importing/undo-import.ts'
import { readFileBytes } from '../../src/feeds/reading/open-feed.ts'

/**
 * Runs an import in a process of its own, which the test kills: `<url> import <file> <mode>` or
 * `<url> undo <uuid>`. It prints its progress to stdout.
 */
const [url, verb, what, mode] = process.argv.slice(2)
const database = openDatabase({ url, poolMax: 3 })
process.stdout.write('started 0\n')
if (verb === 'undo') {
  const undone = undoImport(database, what)
  process.stdout.write('undoing 0\n')
  await undone
} else {
  await runImport(database, {
    supplier: 'Gems Ltd',
    mode: mode === 'replace' ? 'replace' : 'update',
    bytes: readFileBytes(what),
    onProgress: ({ phase, done }) => void process.stdout.write(`${phase} ${done}\n`),
  })
}
process.stdout.write('done 0\n')
await database.close()
