import { openDatabase } from '../../dist/database/open.js'
import { runImport } from '../../dist/feeds/importing/run-import.js'
import { readFileBytes } from '../../dist/feeds/reading/open-feed.js'

/**
 * One import in its own process, so that the measured memory is the importer's alone. It runs the
 * compiled sources, as production does.
 */
const [url, path] = process.argv.slice(2)
const database = openDatabase({ url, poolMax: 2 })
const phases = {}
const startMs = performance.now()
const report = await runImport(database, {
  supplier: 'Bench Ltd',
  mode: 'update',
  bytes: readFileBytes(path),
  onProgress: ({ phase }) => {
    phases[phase] = performance.now() - startMs
  },
})
const seconds = (performance.now() - startMs) / 1000
await database.close()
const { rows, added, changed, unchanged, rejected } = report
const memoryMb = Math.round(process.resourceUsage().maxRSS / 1024)
process.stdout.write(
  JSON.stringify({ seconds, memoryMb, phases, rows, added, changed, unchanged, rejected }),
)
