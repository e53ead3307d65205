/** Signing in to the console: there are no passwords, only links that work once. */
import type { Command } from 'commander'
import { getMerchant } from '../merchants/merchant-store.ts'
import { createLink } from '../merchants/session.ts'
import { type CommonOptions, command, onMarket } from './command.ts'

export function consoleCommand(): Command {
  const example = 'pavilion console --merchant buyer@shop.example'
  return command('console', 'Print a link that signs in to the console, once', example)
    .option('--merchant <uuid|email>', 'Sign in as this merchant (default: as the operator)')
    .action((options: CommonOptions & { merchant?: string }) =>
      onMarket(
        options,
        async ({ database: { db }, publicUrl }) => {
          const merchant = options.merchant ? await getMerchant(db, options.merchant) : undefined
          return createLink(db, await publicUrl(), merchant?.uuid ?? null)
        },
        ({ url, expires_on }) => `${url}\n\nThe link works once and expires on ${expires_on}.`,
      ),
    )
}
