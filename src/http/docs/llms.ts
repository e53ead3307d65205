import type { Guide } from './guides/guides.ts'

/** A map of the interface for language models: what to use for what, and where it is described. */
export function llmsText(publicUrl: string, guides: readonly Guide[]): string {
  const listed = guides.filter(({ isGuide }) => isGuide)
  return `# Pavilion

> A marketplace server for diamonds, gemstones and jewelry. Merchants search for stones at their
> own prices and order them, over HTTP and JSON. Every request needs the header
> Authorization: Bearer <token>.

Use version 3 (/api/v3) for everything new. Version 2 (/api/v2) is served for programs that were
written for it: it has the same stones, prices and orders, under older names, and gets no new
operations. The operator's and the suppliers' interfaces (/api/operator, /api/supplier) need tokens
of their own.

Errors are application/problem+json documents with a stable code and a detail that says what to do.
Unknown names in a request are refused, with the nearest known name as a hint. A write is repeated
safely with the same Idempotency-Key.

## What to use for what

- Find diamonds by their properties: POST /api/v3/diamonds/merchant_search
- Find colored stones: POST /api/v3/gemstones/search
- Show a customer a few well chosen diamonds:
  POST /api/v3/diamonds/get_diamonds_by_merchant_templates
- Small stones by size, as a tree: GET /api/v3/diamonds/get_parcel_filters
- Jewelry and watches: POST /api/v3/products/query, POST /api/v3/product_variants/jewelry/query
- One stone by its SKU, with its price history: GET /api/v3/inventory/gems/{sku}
- Try an order without placing it: POST /api/v3/orders/place with "dry_run": true
- Place an order: POST /api/v3/orders/place
- Find orders: GET /api/v3/orders/list, GET /api/v3/orders/search
- Keep a stone for a customer: POST /api/v3/inventory/holds; promise a price: POST /api/v3/quotes
- Copy the whole market: GET /api/v3/inventory/snapshot, then GET /api/v3/inventory/changes
- Hear of what happens: POST /api/v3/webhooks, or poll GET /api/v3/events
- Hear of stones that start to match a search: POST /api/v3/saved_searches

## Guides

${listed.map((guide) => lineOf(guide, publicUrl)).join('\n')}

## OpenAPI 3.1 documents

- [Merchant API v3](${publicUrl}/openapi/v3.json): search, orders, quotes, holds, sync, webhooks
- [Merchant API v2](${publicUrl}/openapi/v2.json): search and orders, for existing programs
- [Operator API](${publicUrl}/openapi/operator.json): merchants, keys, stock, imports, orders
- [Supplier API](${publicUrl}/openapi/supplier.json): a supplier's own stock and orders
- [The same as a web page](${publicUrl}/docs)
`
}

function lineOf({ subject, title, summary }: Guide, publicUrl: string): string {
  return `- [${title}](${publicUrl}/docs/${subject}): ${summary}`
}
