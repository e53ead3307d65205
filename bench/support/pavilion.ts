import { pino } from 'pino'
import type { AppDeps } from '../../src/http/app.ts'
import { LISTEN_BACKLOG } from '../../src/http/overload/limits.ts'
import type { App } from '../../src/http/route.ts'
import { built } from './built.ts'
import { benchSecrets } from './secrets.ts'

/**
 * Starts the compiled product on a database, without a rate limit unless one is given, on a free
 * port unless one is given.
 */
export async function startPavilion(
  url: string,
  own: Partial<AppDeps> = {},
  port = 0,
): Promise<App> {
  const { openDatabase } = await built<typeof import('../../src/database/open.ts')>('database/open')
  const { buildApp } = await built<typeof import('../../src/http/app.ts')>('http/app')
  const app = await buildApp({
    realm: 'live',
    database: openDatabase({ url }),
    publicUrl: 'http://bench.example',
    secrets: benchSecrets,
    rateLimitPerMinute: 0,
    log: pino({ level: 'silent' }),
    ...own,
  })
  await app.listen({ port, host: '127.0.0.1', backlog: LISTEN_BACKLOG })
  return app
}

export function portOf({ server }: Pick<App, 'server'>): number {
  return (server.address() as { port: number }).port
}
