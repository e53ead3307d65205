/** Runs a source in a process of its own, which a test kills. */
import { openDatabase } from '../../../src/database/open.ts'
import { runSourceNow } from '../../../src/feeds/sources/run-source.ts'
import { testSecrets } from '../../support/secrets.ts'

const [url, uuid] = process.argv.slice(2)
const database = openDatabase({ url })
const settings = { allowedHosts: ['127.0.0.1'] }
const runner = { db: database.db, imports: database, secrets: testSecrets(), settings }
await runSourceNow(runner, uuid, {})
await database.close()
