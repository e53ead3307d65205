import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Realm } from '../../merchants/token.ts'
import { type App, publicAccess } from '../route.ts'
import type { Services } from '../services.ts'
import { createDemoReader, type DemoValues } from './examples/demo-values.ts'
import type { Guide } from './guides/guides.ts'
import { guidesBar, registerGuides } from './guides/routes.ts'
import { llmsText } from './llms.ts'
import { type DocumentedServer, openApiOf } from './openapi.ts'

const config = { access: publicAccess, undocumented: true } as const

/** Lets the page load from and call its own address only: no request leaves the machine. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: " +
  "blob:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'"

/** The page of the API reference. Its links to the guides work without scripts. */
function pageOf(guides: readonly Guide[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pavilion API reference</title>
<link rel="stylesheet" href="/docs/guides.css">
</head>
<body>
${guidesBar(guides)}
<div id="reference"></div>
<noscript>The reference of all operations needs JavaScript; the guides above do not. The OpenAPI
documents: <a href="/openapi/v2.json">v2</a>, <a href="/openapi/v3.json">v3</a>,
<a href="/openapi/operator.json">operator</a>, <a href="/openapi/supplier.json">supplier</a>.
</noscript>
<script src="/docs/reference.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`
}

const START = `Scalar.createApiReference('#reference', {
  sources: [
    { title: 'Merchant API v3', slug: 'v3', url: '/openapi/v3.json' },
    { title: 'Merchant API v2', slug: 'v2', url: '/openapi/v2.json' },
    { title: 'Operator API', slug: 'operator', url: '/openapi/operator.json' },
    { title: 'Supplier API', slug: 'supplier', url: '/openapi/supplier.json' },
  ],
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
})
`

/** The OpenAPI documents, the page that renders them, and an overview for language models. */
export function registerDocs(
  app: App,
  { operations, publicUrl, realm, db }: Services,
  markets: Partial<Record<Realm, string>> = {},
): void {
  const servers = serversOf(realm, publicUrl, markets)
  const readDemo = createDemoReader(db)
  for (const name of ['v2', 'v3', 'operator', 'supplier'] as const) {
    const render = renderOnce((values) =>
      openApiOf(operations, { ...DOCUMENTS[name], servers, values }),
    )
    app.get(`/openapi/${name}.json`, { config }, async (_request, reply) => {
      const document = render(await readDemo())
      return reply.header('content-type', 'application/json; charset=utf-8').send(document)
    })
  }
  const guides = registerGuides(app)
  app.get('/docs', { config }, (_request, reply) => {
    reply.header('content-security-policy', PAGE_POLICY)
    reply.header('content-type', 'text/html; charset=utf-8').send(pageOf(guides.list()))
  })
  app.get('/docs/start.js', { config }, (_request, reply) => {
    reply.header('content-type', 'text/javascript; charset=utf-8').send(START)
  })
  const script = readOnce()
  app.get('/docs/reference.js', { config }, async (_request, reply) => {
    reply.header('content-type', 'text/javascript; charset=utf-8')
    reply.header('cache-control', 'public, max-age=86400')
    return reply.header('content-encoding', 'gzip').send(await script())
  })
  app.get('/llms.txt', { config }, (_request, reply) => {
    reply
      .header('content-type', 'text/plain; charset=utf-8')
      .send(llmsText(publicUrl, guides.list()))
  })
}

export const DOCUMENTS = {
  v2: {
    title: 'Pavilion merchant API, version 2',
    version: '2.0.0',
    prefix: '/api/v2/',
    description: 'Search for diamonds at your own prices and order them.',
  },
  v3: {
    title: 'Pavilion merchant API, version 3',
    version: '3.0.0',
    prefix: '/api/v3/',
    description: 'Search the market at your own prices, follow its changes and place orders.',
    hasWebhooks: true,
  },
  operator: {
    title: 'Pavilion operator API',
    version: '1.0.0',
    prefix: '/api/operator/',
    description: 'Manage merchants, tokens, stock and orders. For admin tokens only.',
  },
  supplier: {
    title: 'Pavilion supplier API',
    version: '1.0.0',
    prefix: '/api/supplier/',
    description:
      'Send your stock, see what is sold, and answer and ship orders. For supplier tokens only.',
  },
} as const

/** Renders a document when what its examples name has changed, and only then. */
function renderOnce(build: (values: DemoValues) => object): (values: DemoValues) => string {
  let [known, rendered] = ['', '']
  return (values) => {
    const key = JSON.stringify([...values].filter(([name]) => name !== 'now' && name !== 'change'))
    if (key !== known || rendered === '') {
      rendered = withSkus(JSON.stringify(build(values)), values)
      known = key
    }
    return rendered
  }
}

/** The SKUs that schemas show. In the demo market others are shown, which it has. */
const SHOWN_SKUS = /K7Q2M4X9TB|K7Q2M9X4TB|PV-7Q2M4K/g

function withSkus(document: string, values: DemoValues): string {
  const skus = [...values].flatMap(([name, value]) => (name.startsWith('stone.') ? [value] : []))
  let shown = 0
  return document.replaceAll(SHOWN_SKUS, (sku) => skus[shown++ % skus.length] ?? sku)
}

/** Production and the sandbox, this one first: a document is tried where it was read. */
export function serversOf(
  realm: Realm,
  publicUrl: string,
  markets: Partial<Record<Realm, string>>,
): DocumentedServer[] {
  const urls = { ...markets, [realm]: publicUrl }
  const order: Realm[] = realm === 'live' ? ['live', 'test'] : ['test', 'live']
  return order.flatMap((each) => {
    const url = urls[each]
    return url === undefined ? [] : [{ url, description: SERVER_NAMES[each] }]
  })
}

const SERVER_NAMES: Record<Realm, string> = {
  live: 'Production, for tokens pav_live_…',
  test: 'Sandbox, for tokens pav_test_…: the same interface with data of its own',
}

/** The script of the viewer, compressed at its first use. Every browser accepts gzip. */
function readOnce(): () => Promise<Buffer> {
  let script: Promise<Buffer> | undefined
  return () => {
    script ??= readViewer()
    return script
  }
}

async function readViewer(): Promise<Buffer> {
  const entry = import.meta.resolve('@scalar/fastify-api-reference')
  return promisify(gzip)(await readFile(new URL('./js/standalone.js', entry)))
}
