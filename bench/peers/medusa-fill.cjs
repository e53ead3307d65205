// Run by `medusa exec`: a shop in the United States with the products of in.json, written by the
// workflows that Medusa's documents recommend for importing, in batches.
const { readFileSync, writeFileSync } = require('node:fs')
const flows = require('@medusajs/medusa/core-flows')
const { ContainerRegistrationKeys, Modules } = require('@medusajs/framework/utils')

const BATCH = 200

exports.default = async function fill({ container }) {
  const run = async (name, input) => (await flows[name](container).run({ input })).result
  const products = JSON.parse(readFileSync('in.json', 'utf8'))
  const shop = await createShop(container, run)
  const startMs = Date.now()
  const groups = await createGroups(run, products)
  const variants = {}
  for (let first = 0; first < products.length; first += BATCH) {
    const batch = products.slice(first, first + BATCH)
    const created = await run('createProductsWorkflow', {
      products: batch.map((product) => productOf(product, shop, groups)),
    })
    for (const { variants: of } of created) for (const { id, sku } of of) variants[sku] = id
    await stock(container, run, batch, shop.locationId)
  }
  writeFileSync('result.json', JSON.stringify({ startMs, variants, ...groups, ...shop }))
}

async function createShop(container, run) {
  const [store] = await container.resolve(Modules.STORE).listStores()
  const [channel] = await container.resolve(Modules.SALES_CHANNEL).listSalesChannels()
  const salesChannel =
    channel ??
    (await run('createSalesChannelsWorkflow', { salesChannelsData: [{ name: 'Shop' }] }))[0]
  await run('updateStoresWorkflow', {
    selector: { id: store.id },
    update: {
      supported_currencies: [{ currency_code: 'usd', is_default: true }],
      default_sales_channel_id: salesChannel.id,
    },
  })
  const payment_providers = ['pp_system_default']
  const [region] = await run('createRegionsWorkflow', {
    regions: [{ name: 'US', currency_code: 'usd', countries: ['us'], payment_providers }],
  })
  await run('createTaxRegionsWorkflow', [{ country_code: 'us', provider_id: 'tp_system' }])
  const shipping = await createShipping(container, run, salesChannel.id, region.id)
  const [key] = await run('createApiKeysWorkflow', {
    api_keys: [{ title: 'Shop', type: 'publishable', created_by: '' }],
  })
  await run('linkSalesChannelsToApiKeyWorkflow', { id: key.id, add: [salesChannel.id] })
  return { ...shipping, regionId: region.id, channelId: salesChannel.id, key: key.token }
}

async function createShipping(container, run, channelId, regionId) {
  const link = container.resolve(ContainerRegistrationKeys.LINK)
  const fulfillment = container.resolve(Modules.FULFILLMENT)
  const address = { address_1: '12 Facet Street', city: 'New York', country_code: 'US' }
  const [location] = await run('createStockLocationsWorkflow', {
    locations: [{ name: 'Vault', address }],
  })
  const locationId = location.id
  const linkLocation = (to) =>
    link.create({
      [Modules.STOCK_LOCATION]: { stock_location_id: locationId },
      [Modules.FULFILLMENT]: to,
    })
  await linkLocation({ fulfillment_provider_id: 'manual_manual' })
  const [known] = await fulfillment.listShippingProfiles({ type: 'default' })
  const profile =
    known ??
    (
      await run('createShippingProfilesWorkflow', { data: [{ name: 'Default', type: 'default' }] })
    )[0]
  const set = await fulfillment.createFulfillmentSets({
    name: 'Delivery',
    type: 'shipping',
    service_zones: [{ name: 'US', geo_zones: [{ country_code: 'us', type: 'country' }] }],
  })
  await linkLocation({ fulfillment_set_id: set.id })
  const [option] = await run('createShippingOptionsWorkflow', [
    {
      name: 'Standard',
      price_type: 'flat',
      provider_id: 'manual_manual',
      service_zone_id: set.service_zones[0].id,
      shipping_profile_id: profile.id,
      type: { label: 'Standard', description: 'In a week', code: 'standard' },
      prices: [
        { currency_code: 'usd', amount: 5 },
        { region_id: regionId, amount: 5 },
      ],
      rules: [
        { attribute: 'enabled_in_store', value: 'true', operator: 'eq' },
        { attribute: 'is_return', value: 'false', operator: 'eq' },
      ],
    },
  ])
  await run('linkSalesChannelsToStockLocationWorkflow', { id: locationId, add: [channelId] })
  return { locationId, profileId: profile.id, optionId: option.id }
}

/** A shape is a category; a colour and a clarity are tags. */
async function createGroups(run, products) {
  const distinct = (...fields) => [
    ...new Set(products.flatMap((each) => fields.map((f) => each[f]))),
  ]
  const categories = await run('createProductCategoriesWorkflow', {
    product_categories: distinct('shape').map((name) => ({ name, is_active: true })),
  })
  const tags = await run('createProductTagsWorkflow', {
    product_tags: distinct('color', 'clarity').map((value) => ({ value })),
  })
  return {
    categories: Object.fromEntries(categories.map(({ name, id }) => [name, id])),
    tags: Object.fromEntries(tags.map(({ value, id }) => [value, id])),
  }
}

function productOf(product, { profileId, channelId }, { categories, tags }) {
  const { sku, title, shape, color, clarity, cents } = product
  return {
    title,
    description: title,
    handle: sku.toLowerCase(),
    status: 'published',
    category_ids: [categories[shape]],
    tag_ids: [tags[color], tags[clarity]],
    shipping_profile_id: profileId,
    sales_channels: [{ id: channelId }],
    options: [{ title: 'Kind', values: ['One'] }],
    variants: [
      {
        title,
        sku,
        manage_inventory: true,
        options: { Kind: 'One' },
        prices: [{ amount: cents / 100, currency_code: 'usd' }],
      },
    ],
  }
}

async function stock(container, run, batch, location_id) {
  const stockOf = new Map(batch.map(({ sku, stock: units }) => [sku, units]))
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: 'inventory_item',
    fields: ['id', 'sku'],
    filters: { sku: [...stockOf.keys()] },
  })
  await run('createInventoryLevelsWorkflow', {
    inventory_levels: data.map(({ id, sku }) => ({
      location_id,
      inventory_item_id: id,
      stocked_quantity: stockOf.get(sku),
    })),
  })
}
