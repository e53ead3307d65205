import { findDiamond } from '../api/diamonds.ts'
import { gemName } from '../api/gem.ts'
import { findGemstone } from '../api/gemstones.ts'
import { useRead } from '../api/hooks.ts'
import { capitalize, carats } from '../lib/format.ts'
import { Empty, Loading, PageProblem } from '../parts/feedback.tsx'
import { Alternatives } from './alternatives.tsx'
import { BasketButton, CompareButton } from './buttons.tsx'
import { StoneFacts } from './facts.tsx'
import { HoldButton } from './hold-button.tsx'
import { StoneMedia } from './media.tsx'
import { PriceSteps } from './price-steps.tsx'

/** One stone: what it looks like, what it is, what it costs, what comes near it. */
export function StonePage({ sku }: { sku: string }) {
  const reading = useRead(sku, async (signal) => {
    return { gem: (await findDiamond(sku, signal)) ?? (await findGemstone(sku, signal)) }
  })
  if (reading.problem) return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  if (!reading.value) return <Loading rows={4} height={120} />
  const { gem } = reading.value
  if (!gem) return <StoneGone sku={sku} />
  return (
    <>
      <div class="page-head">
        <h1>{capitalize(gemName(gem, carats(gem.weight)))}</h1>
        {gem.on_hold && <span class="tag is-warn">On hold</span>}
        {gem.memo && <span class="tag">Memo possible</span>}
        {gem.is_sustainable && <span class="tag is-good">Called sustainable</span>}
        <p class="page-lead mono">{gem.sku}</p>
      </div>
      <div class="stone-page">
        <StoneMedia gem={gem} />
        <div class="stack">
          <section class="panel" aria-label="Price">
            <PriceSteps gem={gem} />
            <div class="row">
              <BasketButton gem={gem} size="large" />
              <HoldButton gem={gem} onDone={reading.reload} />
              <CompareButton gem={gem} />
            </div>
          </section>
          <StoneFacts gem={gem} />
        </div>
      </div>
      {gem.product_type === 'diamond' && <Alternatives gem={gem} />}
    </>
  )
}

function StoneGone({ sku }: { sku: string }) {
  return (
    <>
      <h1>This stone is no longer on the market</h1>
      <Empty title={`${sku} was sold or taken out`}>
        <p>Somebody may have bought it a moment ago.</p>
        <a class="button is-main" href="/search">
          Look for another
        </a>
      </Empty>
    </>
  )
}
