/**
 * Catalogues decide which merchants see which jewelry: a merchant sees a catalogue that is both
 * published and public, or that is shared with it.
 */
import type { Command } from 'commander'
import type { Tx } from '../database/open.ts'
import { inTransaction } from '../database/transaction.ts'
import {
  type CatalogueSummary,
  changeCatalogueProducts,
  createCatalogue,
  listCatalogues,
  shareCatalogue,
  unshareCatalogue,
  updateCatalogue,
} from '../jewelry/catalogue-store.ts'
import { isoWithOffset } from '../lib/timestamps.ts'
import { getMerchant } from '../merchants/merchant-store.ts'
import { repeated } from './arguments.ts'
import {
  type CommonOptions,
  command,
  commandGroup,
  MERCHANT,
  type MerchantOptions,
  onMarket,
} from './command.ts'
import { tableOf } from './output/table.ts'

const CATALOGUE = ['<catalogue>', 'Catalogue, by name or UUID'] as const

export function catalogueCommand(): Command {
  return commandGroup('catalogue', 'Control which merchants see which jewelry', [
    listCommand(),
    createCommand(),
    updateCommand('publish', 'Publish a catalogue', { published: true }),
    updateCommand('unpublish', 'Unpublish a catalogue', { published: false }),
    updateCommand('open', 'Show a published catalogue to every merchant', { public: true }),
    updateCommand('close', 'Show a catalogue only to merchants it is shared with', {
      public: false,
    }),
    shareCommand('share', 'Share a catalogue with a merchant', shareCatalogue),
    shareCommand('unshare', 'Stop sharing a catalogue with a merchant', unshareCatalogue),
    productsCommand(),
  ])
}

function listCommand(): Command {
  return command('list', 'List the catalogues', 'pavilion catalogue list').action(
    (options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => (await listCatalogues(db)).map(rendered),
        (catalogues) =>
          tableOf(
            catalogues,
            {
              uuid: 'UUID',
              name: 'Name',
              published: 'Published',
              public: 'Public',
              product_count: 'Products',
              merchant_uuids: 'Shared with',
            },
            'No catalogues yet. Create one with "pavilion catalogue create <name>".',
          ),
      ),
  )
}

interface CreateOptions extends CommonOptions {
  published?: boolean
  public?: boolean
}

function createCommand(): Command {
  const example = 'pavilion catalogue create Bridal --published --public'
  return command('create', 'Create a catalogue', example)
    .argument('<name>', 'Name of the catalogue')
    .option('--published', 'Publish it at once')
    .option('--public', 'Show it to every merchant')
    .action((name: string, options: CreateOptions) =>
      change(options, (tx) =>
        createCatalogue(tx, {
          name,
          published: options.published ?? false,
          public: options.public ?? false,
        }),
      ),
    )
}

function updateCommand(
  verb: string,
  description: string,
  settings: { published?: boolean; public?: boolean },
): Command {
  return command(verb, description, `pavilion catalogue ${verb} Bridal`)
    .argument(...CATALOGUE)
    .action((name: string, options: CommonOptions) =>
      change(options, (tx) => updateCatalogue(tx, name, settings)),
    )
}

function shareCommand(
  verb: string,
  description: string,
  share: (tx: Tx, name: string, merchantUuid: string) => Promise<CatalogueSummary>,
): Command {
  const example = `pavilion catalogue ${verb} Bridal --merchant buyer@shop.example`
  return command(verb, description, example)
    .argument(...CATALOGUE)
    .requiredOption(...MERCHANT)
    .action((name: string, options: MerchantOptions) =>
      change(options, async (tx) =>
        share(tx, name, (await getMerchant(tx, options.merchant)).uuid),
      ),
    )
}

interface ProductsOptions extends CommonOptions {
  add?: string[]
  remove?: string[]
}

function productsCommand(): Command {
  const example = 'pavilion catalogue products Bridal --add 0198a6c2-5f0e-7c31-9d44-0d5b6a7e8f90'
  return command('products', 'Add products to a catalogue and remove others', example)
    .argument(...CATALOGUE)
    .addOption(repeated('--add <id>', 'ID of a product to add; repeatable'))
    .addOption(repeated('--remove <id>', 'ID of a product to remove; repeatable'))
    .action((name: string, options: ProductsOptions) => {
      const { add = [], remove = [] } = options
      return change(options, (tx) => changeCatalogueProducts(tx, name, { add, remove }))
    })
}

function change(
  options: CommonOptions,
  work: (tx: Tx) => Promise<CatalogueSummary>,
): Promise<void> {
  return onMarket(
    options,
    async ({ database: { db } }) => rendered(await inTransaction(db, work)),
    showCatalogue,
  )
}

function rendered(catalogue: CatalogueSummary) {
  return {
    ...catalogue,
    created_on: isoWithOffset(catalogue.created_on),
    updated_on: isoWithOffset(catalogue.updated_on),
  }
}

function showCatalogue(catalogue: CatalogueSummary): string {
  const { name, published, public: isPublic, product_count, merchant_uuids } = catalogue
  const visibility = isPublic ? 'public' : 'not public'
  const state = `${published ? 'published' : 'not published'}, ${visibility}`
  const sharing =
    merchant_uuids.length === 0 ? 'not shared' : `shared with ${merchant_uuids.join(', ')}`
  return `${name}: ${state}, ${product_count} products, ${sharing}.`
}
