import type { Product } from '../api/jewelry.ts'
import { money, plural, sameOriginPath } from '../lib/format.ts'
import { ShapePicture } from '../parts/shape-picture.tsx'

/** A piece of jewelry or a watch in the list. */
export function ProductCard({ product }: { product: Product }) {
  const inStock = product.variants.filter(({ quantity }) => quantity > 0)
  const cheapest = [...(inStock.length > 0 ? inStock : product.variants)].sort(
    (a, b) => a.wholesale_price - b.wholesale_price,
  )[0]
  return (
    <li class="card">
      <ProductPicture product={product} />
      <a class="card-name" href={`/jewelry/${product.id}`}>
        {product.title}
      </a>
      <p class="muted small">
        {product.vendor.name} · {plural(inStock.length, 'variant')} in stock
      </p>
      {cheapest && (
        <p class="card-price">
          <strong>from {money(cheapest.wholesale_price, cheapest.currency_code)}</strong>
        </p>
      )}
    </li>
  )
}

/** The product's picture if this server has one, otherwise the shape named in its title. */
export function ProductPicture({ product }: { product: Product }) {
  const image = product.variants
    .flatMap(({ media }) => media)
    .find(({ kind, url }) => kind === 'image' && sameOriginPath(url) !== null)
  const url = image && sameOriginPath(image.url)
  return (
    <div class="card-picture">
      {url ? (
        <img src={url} alt="" loading="lazy" />
      ) : (
        <ShapePicture shape={shapeIn(product.title)} />
      )}
    </div>
  )
}

const SHAPES = [
  'oval',
  'cushion',
  'princess',
  'emerald',
  'pear',
  'radiant',
  'marquise',
  'asscher',
  'heart',
  'round',
]

function shapeIn(title: string): string {
  const text = title.toLowerCase()
  return SHAPES.find((shape) => text.includes(shape)) ?? 'round'
}
