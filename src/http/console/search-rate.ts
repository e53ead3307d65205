import type { onResponseHookHandler } from 'fastify'
import type { App } from '../route.ts'

const MINUTE_MS = 60_000
const MINUTES = 15

/** How many searches this process answered in each of the last minutes, oldest first. */
export interface SearchRate {
  perMinute(): number[]
}

/** Counts what merchants do most, for the operator's overview. Must come before their routes. */
export function countSearches(app: App): SearchRate {
  const counts = new Map<number, number>()
  const now = () => Math.floor(Date.now() / MINUTE_MS)
  const count: onResponseHookHandler = (_request, _reply, done) => {
    const minute = now()
    counts.set(minute, (counts.get(minute) ?? 0) + 1)
    if (counts.size > MINUTES + 1) counts.delete(minute - MINUTES - 1)
    done()
  }
  app.addHook('onRoute', (route) => {
    if (isSearch(route.url)) route.onResponse = [route.onResponse ?? [], count].flat()
  })
  return {
    perMinute() {
      const last = now()
      return Array.from({ length: MINUTES }, (_, index) => {
        return counts.get(last - MINUTES + 1 + index) ?? 0
      })
    },
  }
}

function isSearch(url: string): boolean {
  return /(merchant_search|ai_search|gemstones\/search|templates)$/.test(url)
}
