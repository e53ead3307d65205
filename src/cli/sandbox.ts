/** The sandbox is a second market with its own database, against which clients are tested. */
import type { Command } from 'commander'
import { DEMO_SEED, DEMO_STONES } from '../demo/market.ts'
import { resetMarket } from '../demo/reset-market.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { keysOf, showKeys } from './demo.ts'
import { startProgressBar } from './output/progress-bar.ts'

export function sandboxCommand(): Command {
  const reset = command(
    'reset',
    'Delete everything in the sandbox and create a new demo market in it',
    'pavilion sandbox reset',
  ).action((options: CommonOptions) =>
    onMarket(
      { ...options, sandbox: true },
      async ({ database, config, realm, publicUrl }) => {
        const bar = startProgressBar('stones')
        try {
          const market = {
            realm,
            publicUrl: await publicUrl(),
            stones: DEMO_STONES,
            seed: DEMO_SEED,
            onProgress: bar.show,
          }
          const filled = await resetMarket(database, config.demo ? market : undefined)
          const { diamonds = 0, keys } = filled ?? {}
          return { diamonds, ...(keys && keysOf(keys)) }
        } finally {
          bar.end()
        }
      },
      (market) =>
        market.merchant_key !== undefined
          ? `The sandbox has a new demo market with ${market.diamonds} diamonds.\n\n` +
            showKeys(market)
          : 'The sandbox is empty.',
    ),
  )
  return commandGroup('sandbox', 'Reset the sandbox', [reset])
}
