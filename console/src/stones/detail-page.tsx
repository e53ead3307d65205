import { findDiamond, findGemstone } from '../api/gems.ts'
import { useRead } from '../api/hooks.ts'
import { capitalize } from '../lib/format.ts'
import { Empty, Loading, PageProblem } from '../parts/feedback.tsx'
import { Alternatives } from './alternatives.tsx'
import { BasketButton, CompareButton } from './buttons.tsx'
import { StoneFacts } from './facts.tsx'
import { HoldButton } from './hold-button.tsx'
import { gemName } from './labels.ts'
import { StoneMedia } from './media.tsx'
import { PriceSteps } from './price-steps.tsx'

/** One stone: pictures, price, facts, and similar stones. */
export function StonePage({ sku }: { sku: string }) {
  const reading = useRead(sku, async (signal) => {
    return { gem: (await findDiamond(sku, signal)) ?? (await findGemstone(sku, signal)) }
  })
  if (reading.problem) return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  if (!reading.value) return <Loading rows={4} height={120} />
  const { gem } = reading.value
  if (!gem) return <StoneUnavailable sku={sku} />
  return (
    <>
      <div class="page-head">
        <h1>{capitalize(gemName(gem))}</h1>
        {gem.on_hold && <span class="tag is-warn">On hold</span>}
        {gem.memo && <span class="tag">Available on memo</span>}
        {gem.is_sustainable && <span class="tag is-good">Marked sustainable</span>}
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

function StoneUnavailable({ sku }: { sku: string }) {
  return (
    <>
      <h1>Stone not available</h1>
      <Empty title={`${sku} is no longer on the market`}>
        <p>It may have been sold or withdrawn.</p>
        <a class="button is-main" href="/search">
          Search for another stone
        </a>
      </Empty>
    </>
  )
}
