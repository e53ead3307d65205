import { openDatabase } from '../../../dist/database/open.js'
import { openSecrets } from '../../../dist/database/secrets/secrets.js'
import { runSourceNow } from '../../../dist/feeds/sources/run-source.js'

/** Runs a source in a process of its own, which a test kills: `<url> <uuid> <secret key>`. */
const [url, uuid, secretKey] = process.argv.slice(2)
const database = openDatabase({ url })
const secrets = openSecrets(
  { secretKeys: [secretKey], dataFolder: '/nowhere' },
  { mayCreateKey: false },
)
const settings = { allowedHosts: ['127.0.0.1'] }
await runSourceNow({ db: database.db, imports: database, secrets, settings }, uuid, {})
await database.close()
