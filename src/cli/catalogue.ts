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
import { type CommonOptions, command, commandGroup, onMarket, repeated } from './command.ts'
import { tableOf } from './output/table.ts'

const CATALOGUE = ['<catalogue>', 'its name or uuid'] as const

export function catalogueCommand(): Command {
  return commandGroup('catalogue', 'decide which merchants see which jewelry', [
    listCommand(),
    createCommand(),
    publishCommand('publish', 'put a catalogue out', { published: true }),
    publishCommand('unpublish', 'take a catalogue back', { published: false }),
    publishCommand('open', 'make a catalogue public: for every merchant', { public: true }),
    publishCommand('close', 'keep a catalogue to those it is shared with', { public: false }),
    shareCommand('share', 'show a catalogue to a merchant', shareCatalogue),
    shareCommand('unshare', 'hide a catalogue from a merchant', unshareCatalogue),
    productsCommand(),
  ])
}

function listCommand(): Command {
  return command('list', 'list the catalogues', 'pavilion catalogue list').action(
    (options: CommonOptions) =>
      onMarket(
        options,
        async ({ database: { db } }) => (await listCatalogues(db)).map(shown),
        (catalogues) =>
          tableOf(
            catalogues,
            ['uuid', 'name', 'published', 'public', 'product_count', 'merchant_uuids'],
            'No catalogue yet. Make one with: pavilion catalogue create <name>',
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
  return command('create', 'create a catalogue', example)
    .argument('<name>', 'what it is called')
    .option('--published', 'it is out at once')
    .option('--public', 'it is for every merchant')
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

function publishCommand(
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
    .requiredOption('--merchant <uuid|email>', 'the merchant')
    .action((name: string, options: CommonOptions & { merchant: string }) =>
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
  return command('products', 'put products in and take others out', example)
    .argument(...CATALOGUE)
    .addOption(repeated('--add <id>', 'a product to put in; may be repeated'))
    .addOption(repeated('--remove <id>', 'a product to take out; may be repeated'))
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
    async ({ database: { db } }) => shown(await inTransaction(db, work)),
    describe,
  )
}

function shown(catalogue: CatalogueSummary) {
  return {
    ...catalogue,
    created_on: isoWithOffset(catalogue.created_on),
    updated_on: isoWithOffset(catalogue.updated_on),
  }
}

function describe({
  name,
  published,
  public: isPublic,
  product_count,
  merchant_uuids,
}: CatalogueSummary) {
  const state = `${published ? 'published' : 'not published'}, ${isPublic ? 'public' : 'not public'}`
  const shares = merchant_uuids.length === 0 ? 'nobody' : merchant_uuids.join(', ')
  return `${name}: ${state}, ${product_count} products, shared with ${shares}.`
}
