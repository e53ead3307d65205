import { type Command, InvalidArgumentError } from 'commander'
import { DEMO_SEED, DEMO_STONES, DEMO_STONES_MAX, fillDemoMarket } from '../demo/market.ts'
import { type CommonOptions, command, onMarket } from './command.ts'
import { startProgressBar } from './output/progress-bar.ts'

interface DemoCommandOptions extends CommonOptions {
  stones: number
  seed: number
}

export function demoCommand(): Command {
  const example = 'pavilion demo --stones 1000000'
  return command('demo', 'fill an empty market with invented stones and merchants', example)
    .option(
      '--stones <n>',
      'single diamonds; parcels and gemstones come on top',
      readStones,
      DEMO_STONES,
    )
    .option('--seed <n>', 'the same seed gives the same market', readSeed, DEMO_SEED)
    .action((options: DemoCommandOptions) =>
      onMarket(
        options,
        async ({ database, realm, publicUrl }) => {
          const bar = startProgressBar('stones')
          try {
            const { stones, seed } = options
            const { keys, ...market } = await fillDemoMarket(database, {
              realm,
              stones,
              seed,
              publicUrl: await publicUrl(),
              onProgress: bar.show,
            })
            if (!keys) return market
            return { ...market, merchant_key: keys.merchantKey, admin_key: keys.adminKey }
          } finally {
            bar.end()
          }
        },
        (market) => {
          const { diamonds, melee, gemstones, suppliers, seconds } = market
          const stock = `${diamonds} diamonds, ${melee} melee parcels and ${gemstones} gemstones`
          const done = `Filled the market with ${stock} of ${suppliers} suppliers in ${seconds} s.`
          if (!('merchant_key' in market)) return done
          const lines = [done, '', 'Its keys are shown this once:']
          lines.push(
            `  merchant key  ${market.merchant_key}`,
            `  admin key     ${market.admin_key}`,
          )
          return lines.join('\n')
        },
      ),
    )
}

function readStones(text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) <= DEMO_STONES_MAX) return Number(text)
  throw new InvalidArgumentError(`It takes a whole number up to ${DEMO_STONES_MAX}.`)
}

function readSeed(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It takes a whole number.')
}
