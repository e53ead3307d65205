import { createOwnStore } from '../api/own-store.ts'

export interface RecentSearch {
  text: string
  /** The page that it led to. */
  to: string
}

const RECENT_MAX = 12

/** What the person who is signed in searched last, newest first. */
export const recentSearches = createOwnStore<RecentSearch[]>('recent', [])

export function rememberSearch(search: RecentSearch): void {
  const others = recentSearches.get().filter(({ to }) => to !== search.to)
  recentSearches.set([search, ...others].slice(0, RECENT_MAX))
}
