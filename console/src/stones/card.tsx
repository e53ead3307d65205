import type { Gem } from '../api/gems.ts'
import { showsMedia } from '../api/media.ts'
import { t, tIn } from '../language/language.ts'
import { isCustomerView } from '../lib/customer-view.ts'
import { money, sameOriginPath } from '../lib/format.ts'
import { ShapePicture } from '../parts/shape-picture.tsx'
import { SuppliedPicture } from '../parts/supplied-picture.tsx'
import { BasketButton, CompareButton } from './buttons.tsx'
import { HoldTag } from './hold-tag.tsx'
import { gemName, gemstoneTexts, labName } from './labels.ts'

/** A stone in a list: picture, name, grades and price. */
export function StoneCard({ gem, note }: { gem: Gem; note?: string }) {
  const picture = sameOriginPath(gem.image_top_url)
  return (
    <li class="card">
      <div class="card-picture">
        {picture ? (
          <img src={picture} alt="" loading="lazy" decoding="async" />
        ) : gem.image_top_url && showsMedia() ? (
          <SuppliedPicture sku={gem.sku} view="top" alt="">
            <ShapePicture shape={gem.shape} ratio={gem.ratio} />
          </SuppliedPicture>
        ) : (
          <ShapePicture shape={gem.shape} ratio={gem.ratio} />
        )}
      </div>
      <div class="card-tags">
        <HoldTag gem={gem} />
        {gem.type === 'lab grown' && <span class="tag">{tIn('table', 'Lab grown')}</span>}
      </div>
      <a class="card-name" href={`/stones/${gem.sku}`}>
        {gemName(gem)}
      </a>
      <p class="muted small">
        {[
          gem.cut_grade && t('Cut {grade}', { grade: gem.cut_grade }),
          labName(gem) ?? (gem.cert_num ? t('Certificate') : t('No certificate')),
          gradeLine(gem),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {note && <p class="small">{note}</p>}
      <p class="card-price">
        <strong>{money(gem.retail_price, gem.currency_code)}</strong>
        {!isCustomerView && (
          <span class="muted small">
            {money(gem.wholesale_price, gem.currency_code)}
            {gem.currency_code !== gem.base_currency_code &&
              ` · ${money(gem.base_wholesale_price, gem.base_currency_code)}`}
          </span>
        )}
      </p>
      <div class="card-tools">
        <BasketButton gem={gem} />
        <CompareButton gem={gem} />
      </div>
    </li>
  )
}

/** Where a gemstone is from and how it was treated make its price, as grades make a diamond's. */
function gradeLine(gem: Gem): string {
  if (gem.product_type === 'gemstone') return gemstoneTexts(gem).filter(Boolean).join(' · ')
  return [gem.polish_grade, gem.symmetry_grade].filter(Boolean).join('/')
}
