interface LineOfStock {
  sku: string
  product_type: string
}

/** The page of an ordered stone; other products are found by their number. */
export function StockLink({ line: { sku, product_type } }: { line: LineOfStock }) {
  const number = encodeURIComponent(sku)
  const href = product_type === 'gem' ? `/operator/stock/${number}` : `/operator/find?q=${number}`
  return <a href={href}>{sku}</a>
}
