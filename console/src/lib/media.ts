import { useEffect, useState } from 'preact/hooks'

/** Whether a media query of CSS applies, also when the window changes. */
export function useMedia(query: string): boolean {
  const [applies, setApplies] = useState(() => window.matchMedia(query).matches)
  useEffect(() => {
    const list = window.matchMedia(query)
    const update = () => setApplies(list.matches)
    update()
    list.addEventListener('change', update)
    return () => list.removeEventListener('change', update)
  }, [query])
  return applies
}
