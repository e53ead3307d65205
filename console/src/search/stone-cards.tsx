import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { t } from '../language/language.ts'
import { count } from '../lib/format.ts'
import { placeOf, rememberPlace } from '../lib/places.ts'
import { StoneCard } from '../stones/card.tsx'
import { PAGE_SIZE, type Pages } from './pages.ts'

/** As many as a screen shows; those below it are drawn when these are painted. */
const FIRST_CARDS = 12

/** The stones as cards; the next page loads when the end is nearly in view. */
export function StoneCards(props: { total: number; pages: Pages; search: string }) {
  const { total, pages, search } = props
  const [shown, setShown] = useState(placeOf('pages') ?? 1)
  // Another search begins with one page; one that was left before has as many as it had.
  useEffect(() => setShown(placeOf('pages') ?? 1), [search])
  useEffect(() => {
    if (shown > 1) rememberPlace('pages', shown)
  }, [shown])
  const end = useRef<HTMLDivElement>(null)
  const first = pages.gemAt(0)
  const isWhole = useLater(first) === first || shown > 1
  const visible = Math.min(total, isWhole ? shown * PAGE_SIZE : FIRST_CARDS)
  useEffect(() => pages.load(0, visible))
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setShown((before) => before + 1)
      },
      { rootMargin: '600px' },
    )
    if (end.current && isWhole && visible < total) observer.observe(end.current)
    return () => observer.disconnect()
  }, [visible, total, isWhole])
  const gems = Array.from({ length: visible }, (_, index) => pages.gemAt(index))
  // A click redraws the page before its response arrives: until then the cards stay, and they are
  // not even compared.
  const drawn = useRef<{ gems: typeof gems; cards: ComponentChildren } | undefined>(undefined)
  if (!drawn.current || (first && !isSame(drawn.current.gems, gems))) {
    const cards = gems.map((gem) => gem && <StoneCard key={gem.sku} gem={gem} />)
    drawn.current = { gems, cards: <ul class="cards">{cards}</ul> }
  }
  return (
    <>
      {drawn.current.cards}
      <div ref={end} class="row">
        {visible < total && (
          <button type="button" class="button" onClick={() => setShown(shown + 1)}>
            {t('Show more of {count}', { count: count(total) })}
          </button>
        )}
      </div>
    </>
  )
}

/** The value one frame later: what somebody waits for is drawn before it. */
function useLater<T>(value: T): T {
  const [shown, setShown] = useState(value)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setShown(() => value))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [value])
  return shown
}

function isSame<T>(before: readonly T[], after: readonly T[]): boolean {
  return before.length === after.length && after.every((item, index) => item === before[index])
}
