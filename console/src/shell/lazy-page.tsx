import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiProblem, connection } from '../api/client.ts'
import { t } from '../language/language.ts'
import { Loading, PageProblem } from '../parts/feedback.tsx'

type Page = ComponentType<Record<string, string>>

/** A page whose code is loaded when it is first opened. */
export function lazyPage<Props>(load: () => Promise<ComponentType<Props>>): Page {
  let loaded: Page | undefined
  return function LazyPage(props: Record<string, string>) {
    const [, redraw] = useState(0)
    const [round, setRound] = useState(0)
    const [failed, setFailed] = useState(false)
    useEffect(() => {
      if (loaded) return
      load().then(
        (page) => {
          loaded = page as Page
          redraw((before) => before + 1)
        },
        () => {
          setFailed(true)
          // The connection may have failed. If it fails again while connected, a new build is out.
          if (round === 0) connection.set('lost')
        },
      )
    }, [round])
    useEffect(() => {
      if (!failed) return
      return connection.subscribe(() => {
        if (connection.get() !== 'ok') return
        setFailed(false)
        setRound((before) => before + 1)
      })
    }, [failed])
    if (loaded) {
      const Loaded = loaded
      return <Loaded {...props} />
    }
    if (!failed) return <Loading />
    const detail = t(
      'This page could not be loaded. The console may have been updated; please reload.',
    )
    return (
      <PageProblem
        problem={new ApiProblem(0, 'page_missing', detail)}
        onRetry={() => window.location.reload()}
      />
    )
  }
}
