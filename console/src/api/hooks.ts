import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ApiProblem, connection } from './client.ts'

export interface ReadState<T> {
  /** The last answer; stays while the next one is on its way. */
  value: T | undefined
  problem: ApiProblem | undefined
  loading: boolean
  reload: () => void
}

/** Reads again whenever the key changes; an answer that comes too late is not shown. */
export function useRead<T>(key: string, read: (signal: AbortSignal) => Promise<T>): ReadState<T> {
  const [state, setState] = useState<Omit<ReadState<T>, 'reload'>>({
    value: undefined,
    problem: undefined,
    loading: true,
  })
  const [round, setRound] = useState(0)
  const latest = useRef(read)
  latest.current = read
  // The key stands for what is read.
  useEffect(() => {
    const controller = new AbortController()
    setState((before) => ({ ...before, loading: true }))
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
  const isCutOff = state.problem?.status === 0 || state.problem?.status === 503
  useEffect(() => {
    if (!isCutOff) return
    return connection.subscribe(() => {
      if (connection.get() === 'fine') reload()
    })
  }, [isCutOff, reload])
  return { ...state, reload }
}

export interface Action {
  busy: boolean
  problem: ApiProblem | undefined
  /** Runs the work unless it is running already. */
  run: (work: () => Promise<void>) => Promise<void>
  clear: () => void
}

/** Work that a person started: shows that it runs, and what went wrong. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiProblem>()
  const running = useRef(false)
  return {
    busy,
    problem,
    clear: () => setProblem(undefined),
    async run(work) {
      if (running.current) return
      running.current = true
      setBusy(true)
      setProblem(undefined)
      try {
        await work()
      } catch (error) {
        setProblem(asProblem(error))
      } finally {
        running.current = false
        setBusy(false)
      }
    },
  }
}

export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  return new ApiProblem(0, 'mistake', error instanceof Error ? error.message : String(error))
}
