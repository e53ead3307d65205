/** Signing in to the console with a link that works once. */
import { type Command, Option } from 'commander'
import { getSupplier } from '../gems/supplier-store.ts'
import { getMerchant } from '../merchants/merchant-store.ts'
import { createLink } from '../people/sign-in-link.ts'
import { OPERATOR } from '../people/user-store.ts'
import { type CommonOptions, command, onMarket } from './command.ts'

export function consoleCommand(): Command {
  const example = 'pavilion console --merchant buyer@shop.example'
  return command('console', 'Print a link that signs in to the console, once', example)
    .option('--merchant <uuid|email>', 'Sign in as this merchant (default: as the operator)')
    .addOption(new Option('--supplier <name>', 'Sign in as this supplier').conflicts('merchant'))
    .action((options: CommonOptions & { merchant?: string; supplier?: string }) =>
      onMarket(
        options,
        async ({ database: { db }, publicUrl }) => {
          const merchant = options.merchant ? await getMerchant(db, options.merchant) : undefined
          const supplier = options.supplier ? await getSupplier(db, options.supplier) : undefined
          return createLink(db, await publicUrl(), {
            ...OPERATOR,
            ...(merchant && { merchant_uuid: merchant.uuid }),
            ...(supplier && { supplier_uuid: supplier.uuid }),
          })
        },
        ({ url, expires_on }) => `${url}\n\nThe link works once and expires on ${expires_on}.`,
      ),
    )
}
