import { useRead } from '../api/hooks.ts'
import { findProduct, type Product, type Variant } from '../api/jewelry.ts'
import { showsMedia } from '../api/media.ts'
import { mayDo } from '../api/session-store.ts'
import { t } from '../language/language.ts'
import { isCustomerView } from '../lib/customer-view.ts'
import { money, sameOriginPath } from '../lib/format.ts'
import { useStore } from '../lib/store.ts'
import { addToBasket, basket, inBasket } from '../orders/basket-store.ts'
import { Empty, Loading, PageProblem } from '../parts/feedback.tsx'
import { showToast } from '../parts/toast.tsx'
import { ProductPicture } from './card.tsx'
import { attributeLabel, optionText } from './option-text.ts'

/** One product with its variants. */
export function ProductPage({ id }: { id: string }) {
  const reading = useRead(id, async (signal) => ({ product: await findProduct(id, signal) }))
  if (reading.problem) return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  if (!reading.value) return <Loading rows={3} height={120} />
  const { product } = reading.value
  if (!product) {
    return (
      <>
        <h1>{t('Product not found')}</h1>
        <Empty title={t('This product is no longer in the catalogue')}>
          <a class="button" href="/jewelry">
            {t('Back to the catalogue')}
          </a>
        </Empty>
      </>
    )
  }
  return (
    <>
      <div class="page-head">
        <h1 lang="en">{product.title}</h1>
        <p class="page-lead" lang="en">
          {product.description}
        </p>
      </div>
      <div class="stone-page">
        <div class="stack">
          <ProductPicture product={product} />
          <MediaLinks product={product} />
        </div>
        <section class="panel stack" aria-label={t('Variants')}>
          <p class="muted">{t('By {vendor}', { vendor: product.vendor.name })}</p>
          <ProductFacts product={product} />
          <ul class="stack">
            {product.variants.map((variant) => (
              <VariantRow key={variant.id} variant={variant} />
            ))}
          </ul>
        </section>
      </div>
    </>
  )
}

/** What all variants have in common: metal, stone and whatever else makes the price. */
function ProductFacts({ product: { variants } }: { product: Product }) {
  const [first, ...others] = variants.map(({ filter_variant_options }) => filter_variant_options)
  const textOf = (value: string | string[]) => [value].flat().map(optionText).join(', ')
  const common = Object.entries(first ?? {}).filter(([name, value]) =>
    others.every((options) => textOf(options[name] ?? '') === textOf(value)),
  )
  if (common.length === 0) return null
  return (
    <dl class="facts">
      {common.map(([name, value]) => (
        <div key={name}>
          <dt>{attributeLabel(name)}</dt>
          <dd>{textOf(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function VariantRow({ variant }: { variant: Variant }) {
  useStore(basket)
  const isIn = inBasket(variant.sku)
  const isOut = variant.quantity === 0
  const options = Object.entries(variant.variant_options)
  return (
    <li class="note">
      <dl class="facts">
        {options.map(([name, value]) => (
          <div key={name}>
            <dt>{attributeLabel(name)}</dt>
            <dd>{optionText(value)}</dd>
          </div>
        ))}
      </dl>
      <p class="row">
        {isCustomerView ? (
          <strong class="number">{money(variant.retail_price, variant.currency_code)}</strong>
        ) : (
          <>
            <strong class="number">{money(variant.wholesale_price, variant.currency_code)}</strong>
            <span class="muted small">
              {t('retail {price}', { price: money(variant.retail_price, variant.currency_code) })}
            </span>
          </>
        )}
        <span class={isOut ? 'tag is-warn' : 'tag is-good'}>
          {isOut ? t('Sold out') : t('{n} in stock', { n: variant.quantity })}
        </span>
      </p>
      <button
        type="button"
        class="button is-small"
        hidden={isCustomerView || !mayDo('orders:write')}
        disabled={isOut || isIn}
        onClick={() => {
          addToBasket({ sku: variant.sku, quantity: 1 })
          showToast(t('Added to the basket.'))
        }}
      >
        {isIn ? t('✓ In basket') : t('Add to basket')}
        <span class="visually-hidden"> {variant.sku}</span>
      </button>
    </li>
  )
}

function MediaLinks({ product }: { product: Product }) {
  const urls = new Set(product.variants.flatMap(({ media }) => media.map(({ url }) => url)))
  // What the page shows itself needs no link, which would name the supplier's host.
  const external = showsMedia() ? [] : [...urls].filter((url) => sameOriginPath(url) === null)
  return (
    <ul class="small">
      {external.map((url) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer noopener">
            {t('Open the picture')}
          </a>
        </li>
      ))}
    </ul>
  )
}
