import { createServer } from 'node:http'
import type { Config } from '../../src/config.ts'
import { openDatabase } from '../../src/database/open.ts'
import { renderGem } from '../../src/gems/gem-rendering.ts'
import type { SearchRequest } from '../../src/gems/search/plan.ts'
import { NO_OVERLOAD_LIMITS } from '../../src/http/overload/limits.ts'
import { getMerchant } from '../../src/merchants/merchant-store.ts'
import { readPriceRules } from '../../src/pricing/price-rules-cache.ts'
import { built } from '../support/built.ts'
import { sendPort } from '../support/fork-server.ts'
import { portOf, startPavilion } from '../support/pavilion.ts'
import { searchSql } from './postgres.ts'

/** A server in its own process: `pavilion`, `postgres` or `ceiling`. Sends its port when ready. */
const [mode, url, argument] = process.argv.slice(2)

const port = await { pavilion: servePavilion, postgres: servePostgres, ceiling: serveConstant }[
  mode as 'pavilion'
]()
sendPort(port)

/**
 * With a rate limit that no request reaches, and with the log of production. Pictures have the
 * address of the given port, where a browser asks for them.
 */
async function servePavilion(): Promise<number> {
  const publicUrl = argument ? `http://127.0.0.1:${argument}` : 'http://bench.example'
  const { openLog } = await built<typeof import('../../src/cli/serve/log.ts')>('cli/serve/log')
  const { log } = openLog({ logLevel: 'info' } as Config)
  const own = { overload: NO_OVERLOAD_LIMITS, publicUrl, rateLimitPerMinute: 1_000_000_000, log }
  const app = await startPavilion(url, own, Number(argument ?? 0))
  while (app.services.diamonds.index.sequence() === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return portOf(app)
}

/** The same response from PostgreSQL: page, count and rendering. No token is checked. */
async function servePostgres(): Promise<number> {
  const { db, pool } = openDatabase({ url, statementTimeoutMs: 0 })
  const rules = await readPriceRules(db, await getMerchant(db, argument))
  return listenWith(async (body) => {
    const request = JSON.parse(body) as SearchRequest
    const { page, count } = searchSql(request, rules)
    const [rows, total] = await Promise.all([pool.query(page), pool.query(count)])
    const gems = rows.rows.map((row) => renderGem(row, rules, 'http://bench.example', Date.now()))
    const metadata = {
      limit: request.limit,
      offset: request.offset,
      total_count: total.rows[0].count,
    }
    return Buffer.from(JSON.stringify({ filters: {}, gems, metadata }))
  })
}

/** Constant bytes of a given size: the most that Node can send. */
function serveConstant(): Promise<number> {
  const bytes = Buffer.alloc(Number(argument), 'x')
  return listenWith(() => bytes)
}

function listenWith(respond: (body: string) => Buffer | Promise<Buffer>): Promise<number> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    const send = async () => {
      const bytes = await respond(Buffer.concat(chunks).toString())
      response.writeHead(200, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': bytes.length,
      })
      response.end(bytes)
    }
    request.on('end', () => void send())
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(portOf({ server })))
  })
}
