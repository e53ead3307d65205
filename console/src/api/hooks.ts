import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { createStore } from '../lib/store.ts'
import {
  type ApiProblem,
  afterAbsence,
  asProblem,
  connection,
  isTransient,
  isUncertain,
  newIdempotencyKey,
} from './client.ts'

/** How often somebody was refused for what others had done meanwhile; see `isOutdated`. */
const refusedSteps = createStore(0)

/** Whether a refusal shows that the page is older than what it shows. */
function isOutdated({ status }: ApiProblem): boolean {
  return status === 404 || status === 409 || status === 412
}

interface ReadState<T> {
  /** The last response; it stays while the next one is being loaded. */
  value: T | undefined
  problem: ApiProblem | undefined
  loading: boolean
  reload: () => void
}

/**
 * Reads again whenever the key changes, and when a step was refused because of the present state;
 * the response to an earlier key is dropped.
 */
export function useRead<T>(key: string, read: (signal: AbortSignal) => Promise<T>): ReadState<T> {
  const [state, setState] = useState<Omit<ReadState<T>, 'reload'>>({
    value: undefined,
    problem: undefined,
    loading: true,
  })
  const [round, setRound] = useState(0)
  const latest = useRef(read)
  const lastKey = useRef(key)
  latest.current = read
  // The key stands for what is read.
  useEffect(() => {
    const controller = new AbortController()
    const isOther = lastKey.current !== key
    lastKey.current = key
    // What went wrong with something else is not shown any longer.
    setState(({ value, problem }) => {
      return { value, problem: isOther ? undefined : problem, loading: true }
    })
    latest.current(controller.signal).then(
      (value) => {
        if (controller.signal.aborted) return
        setState({ value, problem: undefined, loading: false })
      },
      (error: unknown) => {
        if (controller.signal.aborted) return
        setState((before) => ({ ...before, problem: asProblem(error), loading: false }))
      },
    )
    return () => controller.abort()
  }, [key, round])
  const reload = useCallback(() => setRound((before) => before + 1), [])
  useEffect(() => refusedSteps.subscribe(reload), [reload])
  useReconnected(state.problem, reload)
  return { ...state, reload }
}

/** Calls back when the server can be reached again, after a problem with that. */
export function useReconnected(problem: ApiProblem | undefined, onReconnected: () => void): void {
  const isDisconnected = problem !== undefined && isTransient(problem)
  useEffect(() => {
    if (!isDisconnected) return
    return connection.subscribe(() => {
      if (connection.get() === 'ok') onReconnected()
    })
  }, [isDisconnected, onReconnected])
}

/**
 * The key of a request that must have its effect once. While it is not known whether the request
 * was received, somebody who sends the same again gets the same key.
 */
export type KeyFor = (request: unknown) => string

interface Action {
  busy: boolean
  problem: ApiProblem | undefined
  /** Runs the work unless it is running already. */
  run: (work: (keyFor: KeyFor) => Promise<void>) => Promise<void>
}

/** Something that a person started: whether it is running, and what went wrong. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiProblem>()
  const running = useRef(false)
  const { keyFor, settle } = useKeys()
  // What a person started is not repeated unasked; that it failed is still to be read.
  useReconnected(
    problem,
    useCallback(() => setProblem(afterAbsence()), []),
  )
  return {
    busy,
    problem,
    async run(work) {
      if (running.current) return
      running.current = true
      setBusy(true)
      setProblem(undefined)
      try {
        await work(keyFor)
        settle()
      } catch (error) {
        const failure = asProblem(error)
        if (!isUncertain(failure)) settle()
        setProblem(failure)
        if (isOutdated(failure)) refusedSteps.set(refusedSteps.get() + 1)
      } finally {
        running.current = false
        setBusy(false)
      }
    },
  }
}

function useKeys(): { keyFor: KeyFor; settle: () => void } {
  const sent = useRef<{ text: string; key: string } | undefined>(undefined)
  return {
    keyFor(request) {
      const text = JSON.stringify(request)
      if (sent.current?.text !== text) sent.current = { text, key: newIdempotencyKey() }
      return sent.current.key
    },
    settle() {
      sent.current = undefined
    },
  }
}
