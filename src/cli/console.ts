import type { Command } from 'commander'
import { getMerchant } from '../merchants/merchant-store.ts'
import { createLink } from '../merchants/session-links.ts'
import { type CommonOptions, command, onMarket } from './command.ts'

export function consoleCommand(): Command {
  return command(
    'console',
    'print a link that signs you in to the console, once',
    'pavilion console --merchant buyer@shop.example',
  )
    .option('--merchant <uuid|email>', 'as this merchant (default: as the operator)')
    .action((options: CommonOptions & { merchant?: string }) =>
      onMarket(
        options,
        async ({ database: { db }, publicUrl }) => {
          const merchant = options.merchant ? await getMerchant(db, options.merchant) : undefined
          return createLink(db, await publicUrl(), merchant?.uuid ?? null)
        },
        ({ url, expires_on }) => `${url}\n\nIt works once, until ${expires_on}.`,
      ),
    )
}
