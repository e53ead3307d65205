import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Gem } from '../api/gem.ts'
import { gemName } from '../api/gem.ts'
import { carats, count, humanize, money, sameOriginPath } from '../lib/format.ts'
import { ShapePicture } from '../parts/shape-picture.tsx'
import { BasketButton, CompareButton } from '../stones/buttons.tsx'
import { PAGE_SIZE } from './results.ts'

export interface Pages {
  gemAt(index: number): Gem | undefined
  want(page: number): void
}

/** Stones as cards; the next ones come when the last is nearly in sight. */
export function StoneCards({ total, pages }: { total: number; pages: Pages }) {
  const [shown, setShown] = useState(1)
  const end = useRef<HTMLDivElement>(null)
  const wanted = Math.min(total, shown * PAGE_SIZE)
  useEffect(() => {
    for (let page = 0; page < shown; page++) pages.want(page)
  })
  useEffect(() => {
    const sight = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setShown((before) => before + 1)
      },
      { rootMargin: '600px' },
    )
    if (end.current && wanted < total) sight.observe(end.current)
    return () => sight.disconnect()
  }, [wanted, total])
  const gems = Array.from({ length: wanted }, (_, index) => pages.gemAt(index))
  // The same cards again are not even compared: a click draws the page before the answer comes.
  const drawn = useRef<{ gems: typeof gems; cards: ComponentChildren } | undefined>(undefined)
  if (!drawn.current || !isSame(drawn.current.gems, gems)) {
    const cards = gems.map((gem) => gem && <StoneCard key={gem.sku} gem={gem} />)
    drawn.current = { gems, cards: <ul class="cards">{cards}</ul> }
  }
  return (
    <>
      {drawn.current.cards}
      <div ref={end} class="row">
        {wanted < total && (
          <button type="button" class="button" onClick={() => setShown(shown + 1)}>
            Show more of {count(total)}
          </button>
        )}
      </div>
    </>
  )
}

function isSame<T>(before: readonly T[], after: readonly T[]): boolean {
  return before.length === after.length && after.every((item, index) => item === before[index])
}

export function StoneCard({ gem, note }: { gem: Gem; note?: string }) {
  const picture = sameOriginPath(gem.image_top_url)
  return (
    <li class="card">
      <div class="card-picture">
        {picture ? (
          <img src={picture} alt="" loading="lazy" decoding="async" />
        ) : (
          <ShapePicture shape={gem.shape} ratio={gem.ratio} />
        )}
      </div>
      <div class="card-tags">
        {gem.on_hold && <span class="tag is-warn">On hold</span>}
        {gem.type === 'lab grown' && <span class="tag">Lab grown</span>}
      </div>
      <a class="card-name" href={`/stones/${gem.sku}`}>
        {gemName(gem, carats(gem.weight))}
      </a>
      <p class="muted small">
        {[gem.cut_grade && `Cut ${gem.cut_grade}`, gem.lab ?? 'No certificate', gradeLine(gem)]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {note && <p class="small">{note}</p>}
      <p class="card-price">
        <strong>{money(gem.retail_price, gem.currency_code)}</strong>
        <span class="muted small">{money(gem.wholesale_price, gem.currency_code)}</span>
      </p>
      <div class="card-tools">
        <BasketButton gem={gem} />
        <CompareButton gem={gem} />
      </div>
    </li>
  )
}

function gradeLine(gem: Gem): string {
  if (gem.product_type === 'gemstone') return humanize(gem.type)
  return [gem.polish_grade, gem.symmetry_grade].filter(Boolean).join('/')
}
