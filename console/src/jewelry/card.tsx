import type { Product } from '../api/jewelry.ts'
import { money, plural, sameOriginPath } from '../lib/format.ts'
import { ShapePicture } from '../parts/shape-picture.tsx'

/** A piece of jewelry or a watch on the shelf. */
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

/** Its own picture where it has one here; otherwise the shape that its stones suggest. */
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

const SHAPE_WORDS = [
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
  const words = title.toLowerCase()
  return SHAPE_WORDS.find((shape) => words.includes(shape)) ?? 'round'
}
