import { openDatabase } from '../../dist/database/open.js'
import { undoImport } from '../../dist/feeds/importing/applying/undo-import.js'
import { runImport } from '../../dist/feeds/importing/run-import.js'
import { readFileBytes } from '../../dist/feeds/reading/open-feed.js'

/**
 * Runs an import in a process of its own, which the test kills: `<url> import <file> <phase> <done>`
 * or `<url> undo <uuid>`. It prints its progress to stdout. At the given point of the import it
 * stops, so that the test kills it there however busy the machine is. It runs the compiled sources,
 * which start faster.
 */
const [url, verb, what, stopPhase, stopDone] = process.argv.slice(2)
const database = openDatabase({ url, poolMax: 3 })
process.stdout.write('started 0\n')
if (verb === 'undo') {
  const undone = undoImport(database, what)
  process.stdout.write('undoing 0\n')
  await undone
} else {
  await runImport(database, {
    supplier: 'Gems Ltd',
    mode: 'replace',
    bytes: readFileBytes(what),
    onProgress: ({ phase, done }) => {
      process.stdout.write(`${phase} ${done}\n`)
      if (phase === stopPhase && done >= Number(stopDone)) stop()
    },
  })
}
process.stdout.write('done 0\n')
await database.close()

/** Blocks the process, which then sends nothing more to PostgreSQL. */
function stop() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
