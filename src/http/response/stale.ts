import type { onSendHookHandler } from 'fastify'
import type { GemIndex } from '../../gems/indexing/follower.ts'
import type { App } from '../route.ts'

/**
 * Marks what is answered from memory while the database is away: for an hour, what was known is
 * still answered. `Age` says for how many seconds this node has not heard of changes.
 */
export function registerStale(app: App, index: Pick<GemIndex, 'staleSeconds'>): void {
  const mark: onSendHookHandler = (_request, reply, payload, done) => {
    const seconds = index.staleSeconds()
    if (seconds > 0 && reply.statusCode < 300) {
      reply.header('warning', '110 - "Response is Stale"').header('age', seconds)
    }
    done(null, payload)
  }
  app.addHook('onRoute', (route) => {
    if (route.config?.mayBeStale) route.onSend = [route.onSend ?? [], mark].flat()
  })
}
