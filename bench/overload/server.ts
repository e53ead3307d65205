import { sendPort } from '../support/fork-server.ts'
import { portOf, startPavilion } from '../support/pavilion.ts'

/** The server of bench/overload in its own process, with the bounds of production. */
const [, url] = process.argv.slice(2)
const app = await startPavilion(url)
while (app.services.diamonds.index.sequence() === undefined) {
  await new Promise((resolve) => setTimeout(resolve, 50))
}
sendPort(portOf(app))
