/** Fills an empty market, as the first start does, with a size and a seed of one's choice. */
import type { Command } from 'commander'
import { DEMO_SEED, DEMO_STONES, DEMO_STONES_MAX, fillDemoMarket } from '../demo/market.ts'
import type { DemoKeys } from '../demo/merchants.ts'
import { readWholeNumber } from './arguments.ts'
import { type CommonOptions, command, onMarket } from './command.ts'
import { startProgressBar } from './output/progress-bar.ts'

interface DemoOptions extends CommonOptions {
  stones: number
  seed: number
}

export function demoCommand(): Command {
  const example = 'pavilion demo --stones 1000000'
  return command('demo', 'Fill an empty market with made-up stones and merchants', example)
    .option(
      '--stones <count>',
      'Number of single diamonds; parcels and gemstones are added to them',
      readWholeNumber(0, DEMO_STONES_MAX),
      DEMO_STONES,
    )
    .option(
      '--seed <number>',
      'The same seed always creates the same market',
      readWholeNumber(0, 999_999_999_999_999),
      DEMO_SEED,
    )
    .action((options: DemoOptions) =>
      onMarket(
        options,
        async ({ database, realm, publicUrl, secrets }) => {
          const bar = startProgressBar('stones')
          try {
            const { stones, seed } = options
            const { keys, ...market } = await fillDemoMarket(database, {
              realm,
              stones,
              seed,
              publicUrl: await publicUrl(),
              secrets,
              onProgress: bar.show,
            })
            return { ...market, ...(keys && keysOf(keys)) }
          } finally {
            bar.end()
          }
        },
        (market) => {
          const { diamonds, melee, gemstones, suppliers, seconds } = market
          const stock = `${diamonds} diamonds, ${melee} melee parcels and ${gemstones} gemstones`
          const done = `Added ${stock} from ${suppliers} suppliers in ${seconds.toFixed(1)} s.`
          return 'merchant_key' in market ? `${done}\n\n${showKeys(market)}` : done
        },
        { mayCreate: true },
      ),
    )
}

/** The keys of a new demo market, for a person. */
export function showKeys(keys: ShownKeys): string {
  return (
    'Save its keys; they are not shown again:\n' +
    `  merchant key  ${keys.merchant_key}\n  admin key     ${keys.admin_key}\n` +
    `  supplier key  ${keys.supplier_key}`
  )
}

type ShownKeys = Partial<ReturnType<typeof keysOf>>

/** The keys as `--json` names them. */
export function keysOf({ merchantKey, adminKey, supplierKey }: DemoKeys) {
  return { merchant_key: merchantKey, admin_key: adminKey, supplier_key: supplierKey }
}
