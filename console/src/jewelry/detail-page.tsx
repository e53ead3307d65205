import { useRead } from '../api/hooks.ts'
import { findProduct, type Product, type Variant } from '../api/jewelry.ts'
import { capitalize, hostOf, humanize, money, sameOriginPath } from '../lib/format.ts'
import { useStore } from '../lib/store.ts'
import { addToBasket, basket, inBasket } from '../orders/basket-store.ts'
import { Empty, Loading, PageProblem } from '../parts/feedback.tsx'
import { showToast } from '../parts/toast.tsx'
import { ProductPicture } from './card.tsx'

/** One product with its variants. */
export function ProductPage({ id }: { id: string }) {
  const reading = useRead(id, async (signal) => ({ product: await findProduct(id, signal) }))
  if (reading.problem) return <PageProblem problem={reading.problem} onRetry={reading.reload} />
  if (!reading.value) return <Loading rows={3} height={120} />
  const { product } = reading.value
  if (!product) {
    return (
      <>
        <h1>Product not found</h1>
        <Empty title="This product is no longer in the catalogue">
          <a class="button" href="/jewelry">
            Back to the catalogue
          </a>
        </Empty>
      </>
    )
  }
  return (
    <>
      <div class="page-head">
        <h1>{product.title}</h1>
        <p class="page-lead">{product.description}</p>
      </div>
      <div class="stone-page">
        <div class="stack">
          <ProductPicture product={product} />
          <MediaLinks product={product} />
        </div>
        <section class="panel stack" aria-label="Variants">
          <p class="muted">By {product.vendor.name}</p>
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
            <dt>{capitalize(humanize(name))}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="row">
        <strong class="number">{money(variant.wholesale_price, variant.currency_code)}</strong>
        <span class="muted small">retail {money(variant.retail_price, variant.currency_code)}</span>
        <span class={isOut ? 'tag is-warn' : 'tag is-good'}>
          {isOut ? 'Sold out' : `${variant.quantity} in stock`}
        </span>
      </p>
      <button
        type="button"
        class="button is-small"
        disabled={isOut || isIn}
        onClick={() => {
          addToBasket({ sku: variant.sku, quantity: 1 })
          showToast('Added to the basket.')
        }}
      >
        {isIn ? '✓ In basket' : 'Add to basket'}
        <span class="visually-hidden"> {variant.sku}</span>
      </button>
    </li>
  )
}

function MediaLinks({ product }: { product: Product }) {
  const urls = new Set(product.variants.flatMap(({ media }) => media.map(({ url }) => url)))
  const external = [...urls].filter((url) => sameOriginPath(url) === null)
  return (
    <ul class="small">
      {external.map((url) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer noopener">
            Open on {hostOf(url)}
          </a>
        </li>
      ))}
    </ul>
  )
}
