import { useEffect, useState } from 'preact/hooks'

/** A value that several components show; they are told when it changes. */
export interface Store<T> {
  get(): T
  set(value: T): void
  subscribe(listener: () => void): () => void
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.get())
  useEffect(() => {
    setValue(() => store.get())
    return store.subscribe(() => setValue(() => store.get()))
  }, [store])
  return value
}

/** A store that survives a reload: sessionStorage for this tab, localStorage for good. */
export function createPersistentStore<T>(storage: Storage, name: string, initial: T): Store<T> {
  const store = createStore(readStored(storage, name, initial))
  store.subscribe(() => {
    const value = store.get()
    if (value === undefined) storage.removeItem(name)
    else storage.setItem(name, JSON.stringify(value))
  })
  return store
}

function readStored<T>(storage: Storage, name: string, initial: T): T {
  try {
    const text = storage.getItem(name)
    return text === null ? initial : (JSON.parse(text) as T)
  } catch {
    return initial
  }
}
