import type { Command } from 'commander'
import { DEMO_SEED, DEMO_STONES } from '../demo/market.ts'
import { resetMarket } from '../demo/reset-market.ts'
import { type CommonOptions, command, commandGroup, onMarket } from './command.ts'
import { startProgressBar } from './output/progress-bar.ts'

export function sandboxCommand(): Command {
  const reset = command(
    'reset',
    'empty the sandbox and put a new demo market into it',
    'pavilion sandbox reset',
  ).action((options: CommonOptions) =>
    onMarket(
      { ...options, sandbox: true },
      async ({ database, config, realm, publicUrl }) => {
        const bar = startProgressBar('stones')
        try {
          const links = await publicUrl()
          const wish = { realm, publicUrl: links, stones: DEMO_STONES, seed: DEMO_SEED }
          const demo = config.demo ? { ...wish, onProgress: bar.show } : undefined
          const filled = await resetMarket(database, demo)
          const { diamonds = 0, keys } = filled ?? {}
          return { diamonds, merchant_key: keys?.merchantKey, admin_key: keys?.adminKey }
        } finally {
          bar.end()
        }
      },
      ({ diamonds, merchant_key, admin_key }) =>
        merchant_key === undefined
          ? 'The sandbox is empty.'
          : `The sandbox has a new demo market of ${diamonds} diamonds. Its keys, shown this once:\n` +
            `  merchant key  ${merchant_key}\n  admin key     ${admin_key}`,
    ),
  )
  return commandGroup('sandbox', 'start the sandbox afresh', [reset])
}
