/** A product as every side of the comparison is given it. */
export interface Product {
  sku: string
  title: string
  shape: string
  color: string
  clarity: string
  weight: number
  certificate: string
  cents: number
  stock: number
}

export const SHAPES = ['round', 'oval', 'cushion', 'emerald', 'pear', 'princess', 'radiant']
export const COLORS = ['D', 'E', 'F', 'G', 'H', 'I', 'J', 'K']
const CLARITIES = ['IF', 'VVS1', 'VVS2', 'VS1', 'VS2', 'SI1', 'SI2']

/** Stones of which there is one each; stone `index` is always the same. */
export function drawStones(count: number): Product[] {
  return Array.from({ length: count }, (_, index) => {
    const noise = Math.imul(index + 1, 2654435761) >>> 0
    const [shape, color, clarity] = [
      SHAPES[(noise >>> 3) % SHAPES.length],
      COLORS[(noise >>> 6) % COLORS.length],
      CLARITIES[(noise >>> 9) % CLARITIES.length],
    ]
    const weight = 0.3 + (noise % 270) / 100
    const certificate = String(2_000_000_000 + index)
    const title = `${weight.toFixed(2)} ct ${shape} ${color} ${clarity}, GIA ${certificate}`
    const cents = Math.round(280_000 * weight ** 2.1 * (0.7 + ((noise >>> 7) % 60) / 100))
    const sku = `PB${100_000 + index}`
    return { sku, title, shape, color, clarity, weight, certificate, cents, stock: 1 }
  })
}

/** What the clients order again and again; each client has its own. */
export function drawParcels(count: number): Product[] {
  return drawStones(count).map((stone, index) => ({
    ...stone,
    sku: `PARCEL${index}`,
    title: `Parcel ${index}`,
    shape: 'princess',
    certificate: '',
    stock: 1_000_000,
  }))
}

/** A supplier's file of the stones. */
export function csvOf(stones: readonly Product[]): string {
  const rows = stones.map(({ sku, shape, weight, color, clarity, certificate, cents }) =>
    [sku, 'G', shape, weight.toFixed(2), color, clarity, 'GIA', certificate, cents / 100].join(),
  )
  const header = 'Stock #,Availability,Shape,Weight,Color,Clarity,Lab,Report #,Total Price'
  return `${[header, ...rows].join('\n')}\n`
}
