import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiProblem } from '../api/client.ts'
import { Loading, ProblemNote } from './notes.tsx'

type Page = ComponentType<Record<string, string>>

/** A page whose code comes when it is first opened. */
export function lazyPage<Props>(load: () => Promise<ComponentType<Props>>): Page {
  let loaded: Page | undefined
  return function LazyPage(props: Record<string, string>) {
    const [, redraw] = useState(0)
    const [failed, setFailed] = useState(false)
    useEffect(() => {
      if (loaded || failed) return
      load().then(
        (page) => {
          loaded = page as Page
          redraw(1)
        },
        () => setFailed(true),
      )
    }, [failed])
    if (loaded) {
      const Loaded = loaded
      return <Loaded {...props} />
    }
    if (!failed) return <Loading />
    const detail = 'This page could not be loaded. The console may be newer by now.'
    return (
      <ProblemNote
        problem={new ApiProblem(0, 'page_missing', detail)}
        onRetry={() => window.location.reload()}
      />
    )
  }
}
