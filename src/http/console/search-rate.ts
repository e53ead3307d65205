import type { App } from '../route.ts'

const MINUTE_MS = 60_000
const MINUTES = 15

/** How many searches this process answered in each of the last minutes, oldest first. */
export interface SearchRate {
  perMinute(): number[]
}

/** Counts what merchants do most, for the operator's overview. */
export function countSearches(app: App): SearchRate {
  const counts = new Map<number, number>()
  const now = () => Math.floor(Date.now() / MINUTE_MS)
  app.addHook('onResponse', (request, _reply, done) => {
    if (isSearch(request.routeOptions.url)) {
      const minute = now()
      counts.set(minute, (counts.get(minute) ?? 0) + 1)
      if (counts.size > MINUTES + 1) counts.delete(minute - MINUTES - 1)
    }
    done()
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

function isSearch(url: string | undefined): boolean {
  return url !== undefined && /(merchant_search|ai_search|gemstones\/search|templates)$/.test(url)
}
