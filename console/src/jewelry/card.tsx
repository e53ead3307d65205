import type { Product, Variant } from '../api/jewelry.ts'
import { showsMedia } from '../api/media.ts'
import { t } from '../language/language.ts'
import { isCustomerView } from '../lib/customer-view.ts'
import { money, plural, sameOriginPath } from '../lib/format.ts'
import { SuppliedPicture } from '../parts/supplied-picture.tsx'

/** A piece of jewelry or a watch in the list. */
export function ProductCard({ product }: { product: Product }) {
  const inStock = product.variants.filter(({ quantity }) => quantity > 0)
  const cheapest = [...(inStock.length > 0 ? inStock : product.variants)].sort(
    (a, b) => a.wholesale_price - b.wholesale_price,
  )[0]
  return (
    <li class="card">
      <ProductPicture product={product} />
      <a class="card-name" lang="en" href={`/jewelry/${product.id}`}>
        {product.title}
      </a>
      <p class="muted small">
        {product.vendor.name} ·{' '}
        {t('{variants} in stock', { variants: plural(inStock.length, 'variant') })}
      </p>
      {cheapest && (
        <p class="card-price">
          <strong>
            {t('from {price}', {
              price: money(priceOf(cheapest), cheapest.currency_code),
            })}
          </strong>
        </p>
      )}
    </li>
  )
}

/** What the merchant pays, or its customer where that one looks at the screen. */
function priceOf(variant: Variant): number {
  return isCustomerView ? variant.retail_price : variant.wholesale_price
}

/** The product's picture if this server has one, otherwise a drawing of its kind. */
export function ProductPicture({ product }: { product: Product }) {
  const image = product.variants
    .flatMap(({ media }) => media)
    .find(({ kind, url }) => kind === 'image' && sameOriginPath(url) !== null)
  const url = image && sameOriginPath(image.url)
  const supplied = product.variants.find(({ media }) => media.some(({ kind }) => kind === 'image'))
  return (
    <div class="card-picture">
      {url ? (
        <img src={url} alt="" loading="lazy" />
      ) : supplied && showsMedia() ? (
        <SuppliedPicture sku={supplied.sku} view="top" alt="">
          <ProductDrawing title={product.title} />
        </SuppliedPicture>
      ) : (
        <ProductDrawing title={product.title} />
      )}
    </div>
  )
}

const RING = 'M60 52a30 30 0 1 0 .1 0M60 22l12 12-12 18-12-18zM48 34h24'

/** Outlines by the word that names the kind; the first one that the title has is drawn. */
const OUTLINES: readonly (readonly [word: RegExp, path: string])[] = [
  [/watch/i, 'M46 40l3-24h22l3 24M46 80l3 24h22l3-24M60 36a24 24 0 1 0 .1 0M60 46v14l10 6'],
  [
    /earring|stud|huggie|hoop/i,
    'M40 30v14M40 44l12 16-12 22-12-22zM80 30v14M80 44l12 16-12 22-12-22z',
  ],
  [/necklace|pendant|chain/i, 'M24 16q36 88 72 0M60 62l12 14-12 22-12-22z'],
  [/bracelet|bangle/i, 'M60 32a40 28 0 1 0 .1 0M60 40a32 20 0 1 0 .1 0'],
  [/ring|band|solitaire/i, RING],
]

function ProductDrawing({ title }: { title: string }) {
  const path = OUTLINES.find(([word]) => word.test(title))?.[1] ?? RING
  return (
    <svg viewBox="0 0 120 120" aria-hidden="true" focusable="false">
      <path d={path} fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" />
    </svg>
  )
}
