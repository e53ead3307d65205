// Vendure in a folder of its own, where its packages are: `setup`, `server`, `worker` or `fill`.
// The search index, the job queue and the payment are those that @vendure/core comes with.
const { readFileSync, writeFileSync } = require('node:fs')
const vendure = require('@vendure/core')
const { populateInitialData } = require('@vendure/core/cli')

const [mode, input] = process.argv.slice(2)
const languageCode = 'en'
/** Products that are written at the same time. */
const AT_ONCE = 8

const config = {
  apiOptions: {
    port: Number(process.env.PORT),
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
  },
  authOptions: {
    tokenMethod: 'bearer',
    superadminCredentials: { identifier: 'bench', password: 'only for this bench' },
    cookieOptions: { secret: 'bench' },
  },
  dbConnectionOptions: {
    type: 'postgres',
    url: process.env.DATABASE_URL,
    synchronize: mode === 'setup',
    logging: false,
  },
  paymentOptions: { paymentMethodHandlers: [vendure.dummyPaymentHandler] },
  plugins: [
    // Otherwise each product of an import becomes a job of its own, before the whole is indexed.
    vendure.DefaultSearchPlugin.init({ bufferUpdates: mode === 'fill' }),
    vendure.DefaultJobQueuePlugin.init({ useDatabaseForBuffer: true }),
  ],
  logger: new vendure.DefaultLogger({ level: vendure.LogLevel.Warn }),
}

const initialData = {
  defaultLanguage: languageCode,
  defaultZone: 'Americas',
  countries: [{ name: 'United States', code: 'US', zone: 'Americas' }],
  taxRates: [{ name: 'Standard Tax', percentage: 0 }],
  shippingMethods: [{ name: 'Standard', price: 500 }],
  paymentMethods: [
    {
      name: 'Dummy',
      handler: {
        code: vendure.dummyPaymentHandler.code,
        arguments: [{ name: 'automaticSettle', value: 'true' }],
      },
    },
  ],
  collections: [],
}

const modes = {
  async setup() {
    const app = await vendure.bootstrap(config)
    await populateInitialData(app, initialData)
    await app.close()
  },
  server: () => vendure.bootstrap(config),
  async worker() {
    const worker = await vendure.bootstrapWorker(config)
    await worker.startJobQueue()
  },
  async fill() {
    const products = JSON.parse(readFileSync(input, 'utf8'))
    const { app } = await vendure.bootstrapWorker(config)
    const ctx = await app.get(vendure.RequestContextService).create({ apiType: 'admin' })
    const facetValues = await createFacetValues(app, ctx, products)
    const [{ id: taxCategoryId }] = (await app.get(vendure.TaxCategoryService).findAll(ctx)).items
    const importer = app.get(vendure.FastImporterService)
    const startMs = Date.now()
    await importer.initialize()
    const variants = {}
    let next = 0
    const write = async () => {
      while (next < products.length) {
        const product = products[next++]
        variants[product.sku] = await createProduct(importer, product, facetValues, taxCategoryId)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, write))
    await app.get(vendure.SearchService).reindex(ctx)
    writeFileSync('result.json', JSON.stringify({ startMs, variants, facetValues }))
    // Closing would wait for buffers that are not needed after the whole is indexed.
    process.exit()
  },
}

async function createFacetValues(app, ctx, products) {
  const ids = {}
  for (const code of ['shape', 'color', 'clarity']) {
    const facet = await app
      .get(vendure.FacetService)
      .create(ctx, { code, isPrivate: false, translations: [{ languageCode, name: code }] })
    for (const name of new Set(products.map((product) => product[code]))) {
      const value = { facetId: facet.id, code: name, translations: [{ languageCode, name }] }
      ids[name] = (await app.get(vendure.FacetValueService).create(ctx, facet, value)).id
    }
  }
  return ids
}

async function createProduct(importer, product, facetValues, taxCategoryId) {
  const { sku, title: name, cents: price, stock: stockOnHand } = product
  const translations = [{ languageCode, name, slug: sku.toLowerCase(), description: name }]
  const facetValueIds = ['shape', 'color', 'clarity'].map((code) => facetValues[product[code]])
  const productId = await importer.createProduct({ enabled: true, translations, facetValueIds })
  return importer.createProductVariant({
    productId,
    sku,
    price,
    stockOnHand,
    taxCategoryId,
    trackInventory: 'TRUE',
    translations: [{ languageCode, name }],
  })
}

modes[mode]().catch((error) => {
  console.error(error)
  process.exit(1)
})
