import { createStore, type Store } from '../lib/store.ts'
import { session } from './session-store.ts'

/**
 * A list that belongs to the person who is signed in: all tabs of the browser share it, somebody
 * else who signs in has another, and it is there again at the next sign-in. It holds no secret.
 */
export function createOwnStore<T>(name: string, initial: T): Store<T> {
  const store = createStore(initial)
  const key = () => {
    const signedIn = session.get()
    const owner = signedIn?.user?.uuid ?? signedIn?.merchant?.uuid
    return owner && `pavilion-${name}-${owner}`
  }
  let stored = ''
  const read = () => {
    const own = key()
    stored = (own && window.localStorage.getItem(own)) ?? ''
    store.set(stored === '' ? initial : parsed(stored, initial))
  }
  session.subscribe(read)
  window.addEventListener('storage', (event) => {
    if (event.key === key()) read()
  })
  store.subscribe(() => {
    const own = key()
    const text = JSON.stringify(store.get())
    // What was just read is not written again, so that two tabs do not answer each other for ever.
    if (!own || text === stored) return
    stored = text
    window.localStorage.setItem(own, text)
  })
  return store
}

function parsed<T>(text: string, initial: T): T {
  try {
    return JSON.parse(text) as T
  } catch {
    return initial
  }
}
